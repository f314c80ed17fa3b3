/* Lookups, gradients and the end of a job: two clients and one owner, whose rings hold one message each.
 *
 * Stands for src/train/pipeline.cpp (when a lookup starts), src/embed/remote_source.cpp (tokens of a client),
 * src/serve/owner.cpp and step_gate.cpp (tokens and steps of the owner) and src/mail/post_office.cpp: send() queues without
 * a limit, progress() receives before it sends. That a ring delivers each message once and in order is what ring.pml shows.
 *
 * A token is the step of its lookup here, as each client numbers its own. Modes: hybrid; SYNC, where a lookup waits at the
 * owner until all gradients of the steps before are applied. In hybrid mode a client may cancel a token instead.
 *
 * Faults to be put in on purpose, to see that the check finds them (check.py): BLOCKING_SEND (no outboxes), PUSH_AND_CANCEL,
 * NO_BOUND (of staleness), FINAL_EARLY, NO_GATE, LOST_TOKEN (the owner forgets to close one). With SEEN, a run that came by
 * every case ends in an error. */

#define CLIENTS 2
#ifndef STEPS
#define STEPS 4
#endif
#ifndef STALENESS
#define STALENESS 1
#endif
#ifdef BLOCKING_SEND
#define QUEUE 0
#else
#define QUEUE 8          /* more than the protocol ever queues, which is asserted */
#endif

mtype = { lookup, rows, gradient, cancel, applied, final }
chan to_owner[CLIENTS] = [1] of { mtype, byte };
chan to_client[CLIENTS] = [1] of { mtype, byte };
#if QUEUE > 0
chan out_of_client[CLIENTS] = [QUEUE] of { mtype, byte };
chan out_of_owner[CLIENTS] = [QUEUE] of { mtype, byte };
#define SEND(queue, ring, kind, token) assert(nfull(queue)); queue!kind(token)
#else
#define SEND(queue, ring, kind, token) ring!kind(token)
#endif

/* Of the owner, by client: bit t is for the token of step t. */
byte open_tokens[CLIENTS], applied_tokens[CLIENTS], cancelled_tokens[CLIENTS];
byte num_updates[CLIENTS];       /* applied or cancelled */
byte finals;

#ifdef SEEN
bool waits_for_room, waits_for_step, cancels;
#define NOTE(what) what = true
#else
#define NOTE(what) skip
#endif

#define has(set, token) ((set >> (token)) & 1)

proctype client(byte me) {
  byte started, answered, pushed, confirmed, token;
  mtype kind;
  bool said_final;
  do
  /* A sweep of progress(): first what has come ... */
  :: atomic { to_client[me]?kind, token ->
       if
       :: kind == rows -> assert(token == answered); answered++
       :: kind == applied -> assert(token < pushed); confirmed++
       :: else -> assert(false)
       fi; token = 0; kind = 0 }
#if QUEUE > 0
  /* ... then what is queued. */
  :: atomic { nempty(out_of_client[me]) && nfull(to_owner[me]) ->
       out_of_client[me]?kind, token; to_owner[me]!kind, token; token = 0; kind = 0 }
#endif
#ifdef SYNC
  :: started < STEPS && started == pushed ->
#elif defined(NO_BOUND)
  :: started < STEPS ->
#else
  :: started < STEPS && started - confirmed <= STALENESS ->
#endif
       atomic {
         started++;
         if :: len(to_owner[me]) == 1 -> NOTE(waits_for_room) :: else fi;
         SEND(out_of_client[me], to_owner[me], lookup, started - 1)
       }
  :: pushed < answered ->
       atomic { pushed++; SEND(out_of_client[me], to_owner[me], gradient, pushed - 1) }
#ifdef PUSH_AND_CANCEL
  :: pushed > 0 && confirmed < pushed && !said_final ->
       atomic { SEND(out_of_client[me], to_owner[me], cancel, pushed - 1) }
#elif !defined(SYNC)
  :: pushed < answered ->        /* nothing comes back for a cancelled token */
       atomic { pushed++; confirmed++; SEND(out_of_client[me], to_owner[me], cancel, pushed - 1) }
#endif
#ifdef FINAL_EARLY
  :: started == STEPS && !said_final ->
#else
  :: started == STEPS && confirmed == STEPS && !said_final ->
#endif
       atomic { said_final = true; SEND(out_of_client[me], to_owner[me], final, 0) }
#if QUEUE > 0
  :: said_final && empty(out_of_client[me]) -> break
#else
  :: said_final -> break
#endif
  od
}

byte open_step;                 /* SYNC: lookups of this step may be answered */
byte deferred;                  /* bit c: the lookup of client c for open_step + 1 waits */
byte gathered;                  /* bit c: its gradient of open_step is here */

inline answer(c, token) {
  assert(!has(open_tokens[c], token) && !has(applied_tokens[c], token));
#ifdef SYNC
  assert(num_updates[0] == token && num_updates[1] == token);   /* every update up to token - 1, of all */
#else
  assert(num_updates[c] + STALENESS >= token);                  /* own updates up to token - 1 - staleness */
#endif
  open_tokens[c] = open_tokens[c] | (1 << token);
  SEND(out_of_owner[c], to_client[c], rows, token)
}

inline apply(c, token) {
  assert(!has(applied_tokens[c], token));                       /* once */
  applied_tokens[c] = applied_tokens[c] | (1 << token);
  num_updates[c]++;
  SEND(out_of_owner[c], to_client[c], applied, token)
}

inline close_token(c, token) {
  assert(has(open_tokens[c], token));
#ifndef LOST_TOKEN
  open_tokens[c] = open_tokens[c] & ~(1 << token)
#endif
}

inline take(c) {
  to_owner[c]?kind, token;
  if
  :: kind == lookup ->
#if defined(SYNC) && !defined(NO_GATE)
       if
       :: token > open_step -> assert(token == open_step + 1 && !has(deferred, c)); deferred = deferred | (1 << c); NOTE(waits_for_step)
       :: else -> answer(c, token)
       fi
#else
       answer(c, token)
#endif
  :: kind == gradient ->
       close_token(c, token);
#ifdef SYNC
       assert(token == open_step && !has(gathered, c));
       gathered = gathered | (1 << c);
       if
       :: gathered == 3 ->
            gathered = 0;
            apply(0, token);
            apply(1, token);
            open_step++;
            if :: has(deferred, 0) -> deferred = deferred & 2; answer(0, open_step) :: else fi;
            if :: has(deferred, 1) -> deferred = deferred & 1; answer(1, open_step) :: else fi
       :: else
       fi
#else
       apply(c, token)
#endif
  :: kind == cancel ->
       close_token(c, token);
       NOTE(cancels);
       cancelled_tokens[c] = cancelled_tokens[c] | (1 << token);
       num_updates[c]++
  :: kind == final -> finals++
  fi;
  kind = 0; token = 0
}

inline move_on(c) {
  out_of_owner[c]?kind, token;
  to_client[c]!kind, token;
  kind = 0; token = 0
}

proctype owner() {
  byte token;
  mtype kind;
  do
#if QUEUE > 0
  :: atomic { nempty(to_owner[0]) -> take(0) }
  :: atomic { nempty(to_owner[1]) -> take(1) }
  :: atomic { nempty(out_of_owner[0]) && nfull(to_client[0]) -> move_on(0) }
  :: atomic { nempty(out_of_owner[1]) && nfull(to_client[1]) -> move_on(1) }
  :: finals == CLIENTS && empty(out_of_owner[0]) && empty(out_of_owner[1]) -> break
#else
  :: nempty(to_owner[0]) -> take(0)
  :: nempty(to_owner[1]) -> take(1)
  :: finals == CLIENTS -> break
#endif
  od;
  assert(open_tokens[0] == 0 && open_tokens[1] == 0 && deferred == 0 && gathered == 0);
  assert(num_updates[0] == STEPS && num_updates[1] == STEPS);
  assert((applied_tokens[0] & cancelled_tokens[0]) == 0 && (applied_tokens[1] & cancelled_tokens[1]) == 0);
  assert(empty(to_owner[0]) && empty(to_owner[1]) && empty(to_client[0]) && empty(to_client[1]));
#if defined(SEEN) && defined(SYNC)
  assert(!(waits_for_room && waits_for_step))
#elif defined(SEEN)
  assert(!(waits_for_room && cancels))
#endif
}

init { atomic { run client(0); run client(1); run owner() } }
