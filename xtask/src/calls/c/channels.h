/* Descriptors through which tasks talk, and waits for several of them. */
static int event = -1, pipes[2] = {-1, -1}, blocking[2] = {-1, -1}, sockets[2], epoll_file;
static mqd_t message_queue;

static int event_read(void) {
  uint64_t value = 0;
  int result = V(read(event, &value, 8));
  return result < 0 ? result : (int)value;
}

static int event_write(uint64_t value) { return V(write(event, &value, 8)); }

static int polled(int file, int events, int time) {
  struct pollfd one = {file, (short)events, 0};
  int result = V(poll(&one, 1, time));
  return result < 0 ? result : one.revents;
}

/* How many bytes, and which. */
static int bytes(int result, const char *text) {
  return result < 0 ? -errno : result * 1000000 + text[0] * 10000 + text[1] * 100 + text[2];
}

static int pipe_read(int file, int count) {
  char text[4] = {0};
  return bytes((int)read(file, text, (size_t)count), text);
}

static int pipe_await(void) {
  int ready = polled(pipes[0], POLLIN, -1);
  return ready < 0 ? ready : pipe_read(pipes[0], 2);
}

static int text_write(int file, const char *text) { return V(write(file, text, strlen(text))); }

static int waiting_bytes(int file) {
  int count = -1;
  ioctl(file, FIONREAD, &count);
  return count;
}

static int socket_read(int count, int flags) {
  char text[4] = {0};
  return bytes((int)recv(sockets[0], text, (size_t)count, flags), text);
}

static int socket_write(const char *text) {
  return V(send(sockets[1], text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT));
}

static void open_epoll(unsigned how) {
  event = eventfd(0, EFD_NONBLOCK);
  epoll_file = epoll_create1(0);
  struct epoll_event one = {.events = EPOLLIN | how};
  epoll_ctl(epoll_file, EPOLL_CTL_ADD, event, &one);
}

static int epoll_change(int how, unsigned events) {
  struct epoll_event one = {.events = events};
  return E(epoll_ctl(epoll_file, how, event, &one));
}

static int epoll_look(int time) {
  struct epoll_event one = {0};
  int result = V(epoll_wait(epoll_file, &one, 1, time));
  return result <= 0 ? result : (int)one.events;
}

static int selected(int file, long microseconds) {
  fd_set set;
  struct timeval time = {0, microseconds};
  FD_ZERO(&set);
  FD_SET(file, &set);
  int result = V(select(file + 1, &set, 0, 0, microseconds < 0 ? 0 : &time));
  return result < 0 ? result : result * 10 + FD_ISSET(file, &set);
}

/* System V. */
struct letter {
  long type;
  char text;
};

static int sem_change(int change, int flags) {
  struct sembuf one = {0, (short)change, (short)flags};
  return E(semop(sets, &one, 1));
}

static int send_letter(long type, int task) {
  static __thread int count;
  struct letter letter = {type, (char)('a' + task * 4 + count++)};
  return E(msgsnd(queues, &letter, 1, IPC_NOWAIT));
}

static int receive_letter(long type) {
  struct letter letter = {0};
  int result = V(msgrcv(queues, &letter, 1, type, IPC_NOWAIT));
  return result < 0 ? result : (int)letter.type * 1000 + letter.text;
}

/* POSIX message queues. */
static void open_queue(void) {
  struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 8};
  mq_unlink(QUEUE);
  message_queue = mq_open(QUEUE, O_CREAT | O_RDWR, 0600, &attributes);
  mq_unlink(QUEUE);
}

static int queue_send(unsigned priority, int task) {
  static __thread int count;
  char text = (char)('a' + task * 4 + count++);
  struct timespec none = {0, 0};
  return E(mq_timedsend(message_queue, &text, 1, priority, &none));
}

static int queue_receive(int now) {
  char text[8];
  unsigned priority = 0;
  struct timespec none = {0, 0};
  int result = V(mq_timedreceive(message_queue, text, 8, &priority, now ? &none : soon()));
  return result < 0 ? result : (int)priority * 1000 + text[0];
}

static int queue_length(void) {
  struct mq_attr attributes;
  mq_getattr(message_queue, &attributes);
  return (int)attributes.mq_curmsgs;
}
