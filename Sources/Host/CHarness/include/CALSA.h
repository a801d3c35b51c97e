// libasound as a Swift module, with wrappers for what Swift cannot call: a variadic handler, poll.
#ifndef OPCODEKIT_CALSA_H
#define OPCODEKIT_CALSA_H

#include <alsa/asoundlib.h>
#include <errno.h>
#include <poll.h>

static inline void alsa_say_nothing(
  const char *file, int line, const char *function, int error, const char *format, ...
) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

// Keeps libasound from printing errors on standard error.
static inline void alsa_be_quiet(void) { snd_lib_error_set_handler(alsa_say_nothing); }

// Waits until a device can take frames (playback) or has frames (capture). `descriptors` has room for `count`
// elements. Returns 0 or a negative errno.
static inline int alsa_wait(
  snd_pcm_t *pcm, struct pollfd *descriptors, int count, int milliseconds
) {
  for (int woken = 0;; woken++) {
    // A descriptor that is always ready, without an event of the device, must not take all of the processor.
    if (woken > 16 && (poll(NULL, 0, 1), woken > milliseconds)) return -ETIMEDOUT;
    unsigned short events = 0;
    int filled = snd_pcm_poll_descriptors(pcm, descriptors, (unsigned)count);
    int ready = poll(descriptors, (nfds_t)filled, milliseconds);
    if (ready == 0) return -ETIMEDOUT;
    if (ready < 0) {
      if (errno == EINTR) continue;
      return -errno;
    }
    int error = snd_pcm_poll_descriptors_revents(pcm, descriptors, (unsigned)filled, &events);
    if (error < 0) return error;
    if (events & POLLNVAL) return -ENODEV;
    // snd_pcm_avail_update does not report a suspended stream; only the stream's state shows it.
    if (events & POLLERR) {
      switch (snd_pcm_state(pcm)) {
        case SND_PCM_STATE_XRUN: return -EPIPE;
        case SND_PCM_STATE_SUSPENDED: return -ESTRPIPE;
        case SND_PCM_STATE_DISCONNECTED: return -ENODEV;
        default: break;
      }
    }
    if (events & (POLLOUT | POLLIN | POLLERR)) return 0;
  }
}

#endif
