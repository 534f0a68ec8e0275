/* A cell with two robot arms: six processes (planner, feeder, two arms, inspector, monitor), shared memory, semaphores.
 * Parts are put on a tray, drilled, inspected. An arm that has no room scraps its part, and tells the feeder before it has cleared the
 * place: a feeder that is quick finds no free place, and looks for one forever (`find_free` in tray.h), holding the mutex.
 * It takes two arms at work at once, a full tray, a third order, and the feeder to run between two statements of an arm.
 * -DFIX: the place is cleared first.
 * expect: violated
 * reason: divergence
 * run: run --divergence 1s --sample pct:3,2000
 */
#include "monitor.h"
#include <sys/wait.h>

static const char *const plan = "# the early shift\n"
                                "bracket\n"
                                "plate\n"
                                "spacer\n";

/* Orders that are known when the shift begins; the planner sends the others. */
enum { KNOWN = 2 };

/* Tells the feeder of the orders that come in during the shift. */
static void planner(const struct shift *shift) {
  for (int i = KNOWN; i < shift->orders; i++) {
    enter();
    push_order(shift->order[i]);
    leave();
    signal_to(&cell->orders);
  }
}

static void feeder(void) {
  struct order order;
  do {
    wait_for(&cell->orders);
    enter();
    order = pop_order();
    leave();
    put_part(order);
  } while (!order.last);
  close_tray(ROBOTS);
}

static void arm(const struct robot *robot) {
  for (;;) {
    struct order order;
    bool crowded;
    int place = take_part(robot->number, &order, &crowded);
    if (place < 0) return;
    struct work work = drill_part(robot, place, kind_of(order.kind));
    if (crowded || !work.possible) scrap_part(place);
    else finish_part(place, work.error, work.seconds);
  }
}

/* Forks a process for each task; the child never returns. */
static pid_t start(void (*task)(const void *), const void *with) {
  pid_t child = fork();
  if (child < 0) fatal("fork");
  if (child == 0) {
    task(with);
    _exit(0);
  }
  return child;
}

static void run_feeder(const void *unused) {
  (void)unused;
  feeder();
}

static void run_arm(const void *robot) { arm(robot); }

static void run_inspector(const void *shift) { inspector(((const struct shift *)shift)->orders); }

static void run_monitor(const void *unused) {
  (void)unused;
  monitor();
}

static void check(const char *error) {
  if (!error) return;
  fprintf(stderr, "robots: %s\n", error);
  exit(2);
}

static void await(pid_t child, const char *who) {
  int status;
  if (waitpid(child, &status, 0) != child) fatal("waitpid");
  if (!WIFEXITED(status) || WEXITSTATUS(status)) {
    fprintf(stderr, "robots: the %s failed\n", who);
    exit(3);
  }
}

int main(void) {
  struct shift shift;
  check(catalogue_error());
  check(drill_error());
  struct plan_error error = read_plan(plan, &shift);
  if (error.what) {
    fprintf(stderr, "robots: the plan, line %d: %s\n", error.line, error.what);
    return 2;
  }
  make_cell();
  for (int i = 0; i < KNOWN && i < shift.orders; i++) {
    push_order(shift.order[i]);
    signal_to(&cell->orders);
  }
  pid_t feeding = start(run_feeder, NULL);
  pid_t arms[ROBOTS];
  for (int i = 0; i < (int)ROBOTS; i++) arms[i] = start(run_arm, &robots[i]);
  pid_t inspecting = start(run_inspector, &shift);
  pid_t watching = start(run_monitor, NULL);
  planner(&shift);
  await(feeding, "feeder");
  for (int i = 0; i < (int)ROBOTS; i++) await(arms[i], "arm");
  await(inspecting, "inspector");
  await(watching, "monitor");
  if (getenv("ROBOTS_VERBOSE")) {
    print_journal(stdout);
    print_tray(stdout);
  }
  print_totals(stdout);
  return 0;
}
