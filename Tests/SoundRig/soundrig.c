// A sound device without hardware, as a plugin of libasound: `type soundrig` in an ALSA configuration.
//
// Its position follows the clock of the machine, `speed` times as fast, a period at a time, as a device's does
// that only interrupts. What it plays goes to `file` in the stream's own format. Streams of one `loop` in one
// process hear what its playback plays, frame by frame. With `wait` the clock of a playback without a loop stands still
// while there is less to play than one period and a frame, so that it never runs out of sound. At the frames `xrun_at`,
// `suspend_at` and `unplug_at`, counted from its first start, it has that fault once; from `gone_at` on it has an xrun
// after each start, and from `stall_at` on it plays nothing. When it is closed, `count` is a file that gets how often
// it ran out of sound.
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>

enum { loop_frames = 1 << 16, no_frame = -1 };

// What one process plays to itself.
typedef struct cable {
  struct cable *next;
  char name[32];
  uint8_t *frames;
  size_t frame_size;
  struct device *player;
} cable;
static cable *cables;

typedef struct device {
  snd_pcm_ioplug_t io;
  FILE *file;
  int timer;
  double speed;
  int64_t began;           // nanoseconds: when frame 0 of this start was played
  int64_t done;            // frames since this start
  int64_t before;          // frames of earlier starts
  int64_t cable_offset;    // the cable's frame at which this start began
  snd_pcm_uframes_t pointer, boundary;
  size_t frame_size;
  int64_t faults[5];       // xrun, suspension, unplugging, gone, stalled
  int failed;              // the fault that stays; 0: none
  long xruns, waits;
  char count_name[256];
  cable *cable;
  char cable_name[32];
} device;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static double frames_per_nanosecond(const device *d) { return d->io.rate * d->speed * 1e-9; }

// Makes the descriptor readable then, at once for times that are past.
static void wake_at(device *d, int64_t time) {
  if (time < 1) time = 1;
  struct itimerspec when = {.it_value = {time / 1000000000, time % 1000000000}};
  timerfd_settime(d->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static void wake_at_next_period(device *d) {
  int64_t periods = (int64_t)((now() - d->began) * frames_per_nanosecond(d)) / d->io.period_size + 1;
  wake_at(d, d->began + (int64_t)(periods * d->io.period_size / frames_per_nanosecond(d)) + 1);
}

// Plays or records frames at the pointer, which lie in one piece.
static void move(device *d, uint8_t *frames, size_t count) {
  int plays = d->io.stream == SND_PCM_STREAM_PLAYBACK;
  if (plays && d->file) fwrite(frames, d->frame_size, count, d->file);
  if (!plays && !d->cable) {
    size_t read = d->file ? fread(frames, d->frame_size, count, d->file) : 0;
    memset(frames + read * d->frame_size, 0, (count - read) * d->frame_size);
  }
  for (size_t i = 0; d->cable && i < count; i++) {
    uint8_t *place = d->cable->frames + (d->cable_offset + d->done + i) % loop_frames * d->frame_size;
    uint8_t *frame = frames + i * d->frame_size;
    if (plays) memcpy(place, frame, d->frame_size);
    else memcpy(frame, place, d->frame_size);
  }
}

static void move_all(device *d, int64_t count) {
  const snd_pcm_channel_area_t *areas = snd_pcm_ioplug_mmap_areas(&d->io);
  while (count > 0 && areas) {
    size_t offset = d->pointer % d->io.buffer_size, run = d->io.buffer_size - offset;
    if ((int64_t)run > count) run = (size_t)count;
    move(d, (uint8_t *)areas[0].addr + offset * d->frame_size, run);
    d->done += run;
    d->pointer = (d->pointer + run) % d->boundary;
    count -= run;
  }
}

// Follows the clock: 0, or the fault that happened.
static int follow(device *d) {
  static const int errors[5] = {-EPIPE, -ESTRPIPE, -ENODEV, -EPIPE, 0};
  snd_pcm_ioplug_t *io = &d->io;
  if (io->state != SND_PCM_STATE_RUNNING && io->state != SND_PCM_STATE_DRAINING) return 0;
  if (d->failed) return errors[d->failed];
  // What is heard must have been played.
  if (d->cable && d->cable->player && d->cable->player != d) follow(d->cable->player);
  int64_t target = (int64_t)((now() - d->began) * frames_per_nanosecond(d));
  int64_t ahead = target / io->period_size * io->period_size - d->done;
  if (ahead <= 0) return 0;
  for (int fault = 0; fault < 5; fault++) {
    if (d->faults[fault] == no_frame || d->before + d->done + ahead < d->faults[fault]) continue;
    d->faults[fault] = no_frame;
    if (fault > 2) d->failed = fault;
    return errors[fault];
  }
  int64_t ready = snd_pcm_ioplug_hw_avail(io, d->pointer, io->appl_ptr);
  if (d->waits && !d->cable && io->state == SND_PCM_STATE_RUNNING && ahead >= ready) {
    int64_t least = (ready - 1) / (int64_t)io->period_size * (int64_t)io->period_size;
    d->began += (int64_t)((ahead - least) / frames_per_nanosecond(d));
    ahead = least;
  }
  move_all(d, ahead < ready ? ahead : ready);
  if (ahead <= ready || io->state == SND_PCM_STATE_DRAINING) return 0;
  d->xruns++;
  return -EPIPE;
}

// A negative position always becomes an xrun; other faults are told in poll_revents only.
static snd_pcm_sframes_t rig_pointer(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  int error = follow(d);
  if (error == -ESTRPIPE) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_SUSPENDED);
  if (error == -ENODEV) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
  return error == -EPIPE ? error : (snd_pcm_sframes_t)d->pointer;
}

static int rig_revents(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned count, unsigned short *events) {
  device *d = io->private_data;
  unsigned short ready = io->stream == SND_PCM_STREAM_PLAYBACK ? POLLOUT : POLLIN;
  (void)count;
  *events = 0;
  int error = follow(d);
  if (error == -EPIPE) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_XRUN);
  if (error == -ESTRPIPE) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_SUSPENDED);
  if (error == -ENODEV) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
  switch (io->state) {
    case SND_PCM_STATE_DISCONNECTED: *events = POLLERR | POLLNVAL; return 0;
    case SND_PCM_STATE_XRUN:
    case SND_PCM_STATE_SUSPENDED: *events = POLLERR | ready; return 0;
    default: break;
  }
  snd_pcm_uframes_t free = snd_pcm_ioplug_avail(io, d->pointer, io->appl_ptr);
  if (free >= io->period_size || io->state == SND_PCM_STATE_DRAINING) {
    *events = ready;
    if (io->state == SND_PCM_STATE_DRAINING) wake_at_next_period(d);
    return 0;
  }
  uint64_t expirations;
  if (fds->revents & POLLIN && read(d->timer, &expirations, sizeof expirations) < 0) return 0;
  if (io->state == SND_PCM_STATE_RUNNING) wake_at_next_period(d);
  return 0;
}

static void join_cable(device *d) {
  if (!d->cable_name[0] || d->cable) return;
  for (d->cable = cables; d->cable; d->cable = d->cable->next)
    if (strcmp(d->cable->name, d->cable_name) == 0) return;
  d->cable = calloc(1, sizeof *d->cable);
  strcpy(d->cable->name, d->cable_name);
  d->cable->frame_size = d->frame_size;
  d->cable->frames = calloc(loop_frames, d->frame_size);
  d->cable->next = cables;
  cables = d->cable;
}

static int rig_prepare(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  snd_pcm_sw_params_t *settings;
  d->frame_size = snd_pcm_format_physical_width(io->format) / 8 * io->channels;
  snd_pcm_sw_params_alloca(&settings);
  snd_pcm_sw_params_current(io->pcm, settings);
  snd_pcm_sw_params_get_boundary(settings, &d->boundary);
  d->before += d->done;
  d->done = 0;
  d->pointer = 0;
  join_cable(d);
  if (d->cable) {
    // A cable begins anew with its player.
    if (io->stream == SND_PCM_STREAM_PLAYBACK) memset(d->cable->frames, 0, loop_frames * d->frame_size);
    if (d->cable->player == d) d->cable->player = NULL;
  }
  wake_at(d, io->stream == SND_PCM_STREAM_PLAYBACK ? 0 : INT64_MAX);
  return 0;
}

// Streams of one cable start on a common period, whichever starts first: as if they were linked.
static int rig_start(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  static int64_t cable_began;
  d->began = now();
  if (d->cable) {
    double period = io->period_size / frames_per_nanosecond(d);
    if (!cable_began || now() - cable_began > 1e9 * 3600) cable_began = d->began;
    int64_t periods = (int64_t)((d->began - cable_began) / period + 0.5);
    d->began = cable_began + (int64_t)(periods * period);
    d->cable_offset = periods * (int64_t)io->period_size;
    if (io->stream == SND_PCM_STREAM_PLAYBACK) d->cable->player = d;
  }
  wake_at_next_period(d);
  return 0;
}

static int rig_stop(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  if (d->file && io->stream == SND_PCM_STREAM_PLAYBACK) fflush(d->file);
  if (d->cable && d->cable->player == d) d->cable->player = NULL;
  return 0;
}

// What resume returns is ignored: the stream must really go on here.
static int rig_resume(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  d->began = now() - (int64_t)(d->done / frames_per_nanosecond(d));
  snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
  wake_at_next_period(d);
  return 0;
}

static int rig_close(snd_pcm_ioplug_t *io) {
  device *d = io->private_data;
  rig_stop(io);
  if (d->file) fclose(d->file);
  FILE *count = d->count_name[0] ? fopen(d->count_name, "w") : NULL;
  if (count) {
    fprintf(count, "%ld\n", d->xruns);
    fclose(count);
  }
  close(d->timer);
  free(d);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
  .start = rig_start, .stop = rig_stop, .pointer = rig_pointer, .prepare = rig_prepare,
  .resume = rig_resume, .poll_revents = rig_revents, .close = rig_close,
};

// What a configuration may set besides `speed`, `file`, `loop` and `formats`.
typedef struct limits {
  long rate, channels, smallest_period, xrun_at, suspend_at, unplug_at, wait, gone_at, stall_at;
  char formats[128];
} limits;

static int read_settings(device *d, limits *l, snd_config_t *settings, snd_pcm_stream_t stream) {
  struct { const char *name; long *value; } numbers[] = {
    {"rate", &l->rate}, {"channels", &l->channels}, {"smallest_period", &l->smallest_period},
    {"xrun_at", &l->xrun_at}, {"suspend_at", &l->suspend_at}, {"unplug_at", &l->unplug_at},
    {"wait", &l->wait}, {"gone_at", &l->gone_at}, {"stall_at", &l->stall_at},
  };
  snd_config_iterator_t item, next;
  snd_config_for_each(item, next, settings) {
    snd_config_t *entry = snd_config_iterator_entry(item);
    const char *name, *text;
    if (snd_config_get_id(entry, &name) < 0) continue;
    if (!strcmp(name, "type") || !strcmp(name, "hint") || !strcmp(name, "comment")) continue;
    int known = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
      if (!strcmp(name, numbers[i].name)) known = snd_config_get_integer(entry, numbers[i].value) == 0;
    if (!strcmp(name, "speed")) known = snd_config_get_ireal(entry, &d->speed) == 0;
    if (snd_config_get_string(entry, &text) == 0) {
      known = 1;
      if (!strcmp(name, "loop")) snprintf(d->cable_name, sizeof d->cable_name, "%s", text);
      else if (!strcmp(name, "count")) snprintf(d->count_name, sizeof d->count_name, "%s", text);
      else if (!strcmp(name, "formats")) snprintf(l->formats, sizeof l->formats, "%s", text);
      else if (!strcmp(name, "file")) {
        if (!*text) continue;
        d->file = fopen(text, stream == SND_PCM_STREAM_PLAYBACK ? "wb" : "rb");
        if (!d->file) return -errno;
      } else known = 0;
    }
    if (!known) {
      SNDERR("soundrig has no setting %s", name);
      return -EINVAL;
    }
  }
  return 0;
}

static int restrict_parameters(snd_pcm_ioplug_t *io, limits *l) {
  unsigned accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
  unsigned formats[8], count = 0;
  for (char *rest = NULL, *name = strtok_r(l->formats, " ", &rest); name && count < 8;
       name = strtok_r(NULL, " ", &rest))
    formats[count++] = (unsigned)snd_pcm_format_value(name);
  int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
  if (error == 0) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, count, formats);
  struct { int kind; unsigned least, most; } ranges[] = {
    {SND_PCM_IOPLUG_HW_CHANNELS, l->channels ? l->channels : 1, l->channels ? l->channels : 32},
    {SND_PCM_IOPLUG_HW_RATE, l->rate ? l->rate : 8000, l->rate ? l->rate : 192000},
    {SND_PCM_IOPLUG_HW_PERIOD_BYTES, (unsigned)l->smallest_period, 1 << 20},
    {SND_PCM_IOPLUG_HW_PERIODS, 2, 64},
  };
  for (int i = 0; error == 0 && i < 4; i++)
    error = snd_pcm_ioplug_set_param_minmax(io, ranges[i].kind, ranges[i].least, ranges[i].most);
  return error;
}

SND_PCM_PLUGIN_DEFINE_FUNC(soundrig) {
  (void)root;
  device *d = calloc(1, sizeof *d);
  limits l = {
    .smallest_period = 16, .xrun_at = no_frame, .suspend_at = no_frame, .unplug_at = no_frame,
    .gone_at = no_frame, .stall_at = no_frame,
  };
  strcpy(l.formats, "S16_LE S24_LE S24_3LE S32_LE FLOAT_LE");
  d->speed = 1;
  int error = read_settings(d, &l, conf, stream);
  if (error < 0) {
    if (d->file) fclose(d->file);
    free(d);
    return error;
  }
  d->waits = l.wait;
  d->faults[0] = l.xrun_at, d->faults[1] = l.suspend_at, d->faults[2] = l.unplug_at;
  d->faults[3] = l.gone_at, d->faults[4] = l.stall_at;
  d->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  d->io.version = SND_PCM_IOPLUG_VERSION;
  d->io.name = "OpcodeKit sound rig";
  d->io.callback = &callbacks;
  d->io.private_data = d;
  d->io.poll_fd = d->timer;
  d->io.poll_events = POLLIN;
  d->io.mmap_rw = 1;
  // Without it the position wraps at the end of the buffer.
  d->io.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  error = snd_pcm_ioplug_create(&d->io, name, stream, mode);
  if (error == 0) {
    error = restrict_parameters(&d->io, &l);
    if (error == 0) {
      *pcmp = d->io.pcm;
      return 0;
    }
    snd_pcm_ioplug_delete(&d->io);
    return error;
  }
  close(d->timer);
  if (d->file) fclose(d->file);
  free(d);
  return error;
}
SND_PCM_PLUGIN_SYMBOL(soundrig);
