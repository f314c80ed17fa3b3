/* One ring from one producer to one consumer, over a network that delivers writes in any order.
 *
 * Stands for src/mail/ring.cpp and the sweeps of src/mail/rma_carrier.cpp:
 *   producer   RmaCarrier::send, fill_ring: take credit, put records up to half a ring, flush, announce head, flush
 *   consumer   RmaCarrier::receive, empty_ring: read head, take all records below it, give credit when it is worth it, flush
 *   network    puts, head and credit are in flight until they are delivered, one by one and in any order; a flush waits
 *              until nothing of its process is in flight
 *
 * A record is a header of one unit and at most one more. Positions never wrap, places in the ring
 * do. Each cell holds the position it was written for, so that a byte that is not there yet, or that was overwritten
 * before it was read, is seen as what it is.
 *
 * Faults to be put in on purpose, to see that the check finds them (check.py): NO_FLUSH, EARLY_CREDIT, ROOM_OFF_BY_ONE,
 * READER_SKIPS_NOTHING, STINGY_CREDIT. With SEEN, a run that came by every case ends in an error. */

#define CAPACITY 8
#define LARGEST 2         /* units of a record: a quarter of the ring (ring.hpp, largest_piece) */
#define SMALLEST_ROOM 2   /* units; a record never starts where fewer are left (records.hpp, kSmallestRoomBytes) */
#ifdef STINGY_CREDIT
#define WORTH_TELLING 8
#else
#define WORTH_TELLING 2   /* units; in the code an eighth of the ring, which leaves less untold (RingReader::owes_credit) */
#endif
#ifndef RECORDS
#define RECORDS 9
#endif
#ifdef ROOM_OFF_BY_ONE
#define ROOM (CAPACITY + 1)
#else
#define ROOM CAPACITY
#endif

/* What stands in the consumer's window. */
byte cell_position[CAPACITY];   /* position + 1 that was written here last; 0: none yet */
byte cell_size[CAPACITY];       /* of a header: units of its record */
byte cell_sequence[CAPACITY];   /* of a header: number of its record */
byte head_word;
/* And in the producer's. */
byte credit_word;

/* In flight: header and rest of each record are delivered apart. */
byte put_position[CAPACITY];    /* position + 1 on its way to this cell; 0: none */
byte put_size[CAPACITY];
byte put_sequence[CAPACITY];
byte puts_in_flight;
bool head_in_flight, credit_in_flight;
byte new_head, new_credit;

byte tail;                      /* of the consumer: all below was read */
byte records_read;
bool producer_done;
#ifdef SEEN
bool fills_up, wraps, gaps, withholds;
#define NOTE(what) what = true
#else
#define NOTE(what) skip
#endif

#define place(position) ((position) % CAPACITY)

inline deliver(at) {
  d_step {
    assert(cell_position[at] == 0 || cell_position[at] <= tail || cell_position[at] == put_position[at]); /* it was read */
    cell_position[at] = put_position[at];
    cell_size[at] = put_size[at];
    cell_sequence[at] = put_sequence[at];
    put_position[at] = 0;
    puts_in_flight--;
  }
}

active proctype network() {
  byte at;
end:
  do
  :: puts_in_flight > 0 ->
       atomic { select(at : 0 .. CAPACITY - 1); if :: put_position[at] > 0 -> deliver(at) :: else fi; at = 0 }
  :: atomic { head_in_flight -> head_word = new_head; head_in_flight = false }
  :: atomic { credit_in_flight -> credit_word = new_credit; credit_in_flight = false }
  od
}

inline put(position, value_size, value_sequence) {
  put_position[place(position)] = position + 1;
  put_size[place(position)] = value_size;
  put_sequence[place(position)] = value_sequence;
  puts_in_flight++;
}

active proctype producer() {
  byte head, credit, before, start, size, gap, sent, unit;
  bool no_room;
  do
  :: sent == RECORDS && head == new_head -> break
  :: else ->
       atomic {
         credit = credit_word;
         before = head;
         no_room = false
       }
       do
       :: no_room || sent == RECORDS || head - before >= CAPACITY / 2 -> break
       :: head != before -> break      /* nothing else is queued at the moment */
       :: !no_room && sent < RECORDS && head - before < CAPACITY / 2 ->
            atomic {
              if :: size = 1 :: size = LARGEST fi;
              gap = ((CAPACITY - place(head) < SMALLEST_ROOM) -> CAPACITY - place(head) : 0);
              start = head + gap;
              /* A piece never runs over the end: the record is cut there. */
              if :: size > CAPACITY - place(start) -> size = CAPACITY - place(start) :: else fi;
              if
              :: start + size - credit > ROOM -> no_room = true; NOTE(fills_up)
              :: else ->
                   if :: gap > 0 -> NOTE(gaps) :: else fi;
                   if :: head / CAPACITY < (start + size) / CAPACITY -> NOTE(wraps) :: else fi;
                   put(start, size, sent);
                   unit = 1;
                   do
                   :: unit < size -> put(start + unit, 0, 0); unit++
                   :: else -> break
                   od;
                   head = start + size;
                   sent++
              fi;
              size = 0; gap = 0; start = 0; unit = 0
            }
       od;
       if
       :: head == before            /* no room: another sweep */
       :: else ->
#ifndef NO_FLUSH
            puts_in_flight == 0;
#endif
            atomic { new_head = head; head_in_flight = true }
            !head_in_flight
       fi;
       /* A sweep that found no room looks again when the credit has moved; polling adds no behaviour. */
       if :: no_room -> credit_word != credit :: else fi
  od;
  producer_done = true
}

active proctype consumer() {
  byte seen, published, start, size, unit;
  do
  :: producer_done && records_read == RECORDS -> break
  :: head_word != seen ->
       seen = head_word;
#ifdef EARLY_CREDIT
       atomic { new_credit = seen; credit_in_flight = true; published = seen }
       !credit_in_flight;
#endif
       do
       :: tail == seen -> break
       :: else ->
            atomic {
              start = tail;
#ifndef READER_SKIPS_NOTHING
              if :: CAPACITY - place(tail) < SMALLEST_ROOM -> start = tail + CAPACITY - place(tail) :: else fi;
#endif
              assert(cell_position[place(start)] == start + 1);       /* the header is there */
              assert(cell_sequence[place(start)] == records_read);    /* none lost, none twice, in order */
              size = cell_size[place(start)];
              assert(size >= 1 && start + size <= seen);
              unit = 1;
              do
              :: unit < size -> assert(cell_position[place(start + unit)] == start + unit + 1); unit++   /* not torn */
              :: else -> break
              od;
              tail = start + size;
              records_read++;
              start = 0; size = 0; unit = 0
            }
       od;
       if
       :: tail - published >= WORTH_TELLING ->
            atomic { published = tail; new_credit = tail; credit_in_flight = true }
            !credit_in_flight
       :: else -> NOTE(withholds)
       fi
  od;
  assert(head_word == tail);
#ifdef SEEN
  assert(!(fills_up && wraps && gaps && withholds))
#endif
}
