/* Files and folders of the folder in which the program runs, locks on them, streams. */
static int file = -1, locked[TASKS];
static FILE *stream;

static void clean(void) {
  const char *names[] = {F("a"), F("b"), F("d/q"), F("e/q")};
  for (int i = 0; i < 4; i++) unlink(names[i]);
  rmdir(F("d"));
  rmdir(F("e"));
}

static int open_new(const char *name) {
  int opened = open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
  if (opened < 0) return errno;
  close(opened);
  return 0;
}

static int links(const char *name) {
  struct stat of;
  return stat(name, &of) ? -errno : (int)of.st_nlink;
}

static int file_read(void) {
  char text[4] = {0};
  int result = (int)read(file, text, 2);
  return result < 0 ? -errno : result * 1000000 + text[0] * 1000 + text[1];
}

static int file_look(void) {
  char text[4] = {0};
  int result = (int)pread(file, text, 3, 0);
  return result < 0 ? -errno : result * 10000000 + text[0] * 65536 + text[1] * 256 + text[2];
}

static int size(void) {
  struct stat of;
  fstat(file, &of);
  return (int)of.st_size;
}

static int append(void) {
  int opened = open(F("f"), O_WRONLY | O_APPEND);
  int result = V(write(opened, "y", 1));
  close(opened);
  return result;
}

static void open_locked(void) {
  for (int i = 0; i < TASKS; i++) locked[i] = open(F("k"), O_RDWR | O_CREAT, 0600);
}

static int lock_range(int opened, int how, int type) {
  struct flock range = {.l_type = (short)type, .l_len = 1};
  return E(fcntl(opened, how, &range));
}

static int who_locks(int opened, int how) {
  struct flock range = {.l_type = F_WRLCK, .l_len = 1};
  fcntl(opened, how, &range);
  return range.l_type;
}

static int duplicate(void) {
  int other = dup(file);
  int result = V(fcntl(other, F_GETFD));
  close(other);
  return result;
}

static int environment(void) {
  char *value = getenv("Q");
  return value ? *value : 0;
}

static int entries(void) {
  int count = 0;
  DIR *folder = opendir(F("d"));
  if (!folder) return -errno;
  while (readdir(folder)) count++;
  closedir(folder);
  return count;
}
