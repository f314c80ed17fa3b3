#!/usr/bin/env bash
# No unfinished work is marked in the tree, no path of one particular machine stands in it, and no host of a
# package registry is named.  exit: 0 clean, 1 with one line per finding
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

unfinished='\b(TODO|FIXME|XXX|HACK)\b|\bfor now\b|not (yet )?implemented|unimplemented'
machine='(^|[^A-Za-z0-9_.])/(work|home/(?!persia)[a-z]+|tmp/setup)/|/root/(?!\.ssh)'
registries='pypi\.org|pythonhosted|deb\.debian\.org|snapshot\.debian'

findings=$(git grep --untracked -nIP "$unfinished|$machine|$registries" -- . ':!validation/hygiene/check_words.sh' ':!LICENSE' || true)
if [[ -n $findings ]]; then
  echo "$findings"
  echo "check_words: $(wc -l <<<"$findings") findings"
  exit 1
fi
echo "check_words: 0 findings"
