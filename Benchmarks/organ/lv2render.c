// Renders an LV2 instrument without a sound device:
//
//   lv2render URI RATE SECONDS OUT.f32 < events
//
// An event is a line "SECONDS B0 B1 B2", three bytes of MIDI in hexadecimal, in order of time. OUT.f32 gets
// the first two audio outputs, interleaved. On standard output: the processor's seconds that running took.
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/midi/midi.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { block = 128, most_uris = 4096, most_ports = 256 };

static char *uris[most_uris];
static unsigned uri_count;

static LV2_URID map_uri(LV2_URID_Map_Handle handle, const char *uri) {
  for (unsigned index = 0; index < uri_count; index++)
    if (!strcmp(uris[index], uri)) return index + 1;
  if (uri_count == most_uris) exit(70);
  uris[uri_count++] = strdup(uri);
  return uri_count;
}
static const char *unmap_uri(LV2_URID_Unmap_Handle handle, LV2_URID number) {
  return uris[number - 1];
}

// What a plugin wants done by another thread is done at once.
static LilvInstance *instance;
static const LV2_Worker_Interface *worker;

static LV2_Worker_Status respond(LV2_Worker_Respond_Handle handle, uint32_t size, const void *data) {
  return worker->work_response(lilv_instance_get_handle(instance), size, data);
}
static LV2_Worker_Status schedule(LV2_Worker_Schedule_Handle handle, uint32_t size, const void *data) {
  return worker->work(lilv_instance_get_handle(instance), respond, 0, size, data);
}

static int read_event(double *seconds, unsigned bytes[3]) {
  return scanf("%lf %x %x %x", seconds, &bytes[0], &bytes[1], &bytes[2]) == 4;
}

int main(int count, char **arguments) {
  if (count != 5) return fputs("usage: lv2render URI RATE SECONDS OUT.f32 < events\n", stderr), 64;
  double rate = atof(arguments[2]), seconds = atof(arguments[3]);
  LilvWorld *world = lilv_world_new();
  lilv_world_load_all(world);
  LilvNode *uri = lilv_new_uri(world, arguments[1]);
  const LilvPlugin *plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), uri);
  if (!plugin) return fprintf(stderr, "lv2render: there is no plugin '%s'.\n", arguments[1]), 69;

  LV2_URID_Map map = {0, map_uri};
  LV2_URID_Unmap unmap = {0, unmap_uri};
  LV2_Worker_Schedule scheduler = {0, schedule};
  LV2_Feature map_feature = {LV2_URID__map, &map}, unmap_feature = {LV2_URID__unmap, &unmap};
  LV2_Feature worker_feature = {LV2_WORKER__schedule, &scheduler};
  const LV2_Feature *features[] = {&map_feature, &unmap_feature, &worker_feature, 0};
  instance = lilv_plugin_instantiate(plugin, rate, features);
  if (!instance) return fputs("lv2render: the plugin did not start.\n", stderr), 70;
  worker = lilv_instance_get_extension_data(instance, LV2_WORKER__interface);

  static _Alignas(8) uint8_t events_in[65536], events_out[1 << 20];
  static float audio[64][block], control[most_ports], defaults[most_ports];
  LilvNode *is_audio = lilv_new_uri(world, LILV_URI_AUDIO_PORT);
  LilvNode *is_input = lilv_new_uri(world, LILV_URI_INPUT_PORT);
  LilvNode *is_control = lilv_new_uri(world, LILV_URI_CONTROL_PORT);
  uint32_t ports = lilv_plugin_get_num_ports(plugin);
  if (ports > most_ports) return fputs("lv2render: too many ports.\n", stderr), 70;
  lilv_plugin_get_port_ranges_float(plugin, 0, 0, defaults);
  int channels = 0, left = -1, right = -1;
  for (uint32_t number = 0; number < ports; number++) {
    const LilvPort *port = lilv_plugin_get_port_by_index(plugin, number);
    int goes_in = lilv_port_is_a(plugin, port, is_input);
    if (lilv_port_is_a(plugin, port, is_audio)) {
      if (channels == 64) return fputs("lv2render: too many channels.\n", stderr), 70;
      lilv_instance_connect_port(instance, number, audio[channels]);
      if (!goes_in && left < 0) left = channels;
      else if (!goes_in && right < 0) right = channels;
      channels++;
    } else if (lilv_port_is_a(plugin, port, is_control)) {
      control[number] = defaults[number];
      lilv_instance_connect_port(instance, number, &control[number]);
    } else {
      lilv_instance_connect_port(instance, number, goes_in ? (void *)events_in : (void *)events_out);
    }
  }
  if (left < 0) return fputs("lv2render: the plugin has no audio output.\n", stderr), 70;
  if (right < 0) right = left;

  FILE *file = fopen(arguments[4], "wb");
  if (!file) return perror(arguments[4]), 74;
  lilv_instance_activate(instance);
  LV2_URID sequence = map_uri(0, LV2_ATOM__Sequence), chunk = map_uri(0, LV2_ATOM__Chunk);
  LV2_URID midi = map_uri(0, LV2_MIDI__MidiEvent);
  double when;
  unsigned bytes[3];
  int is_pending = read_event(&when, bytes);
  clock_t took = 0;
  for (long frame = 0; frame < seconds * rate; frame += block) {
    LV2_Atom_Sequence *in = (void *)events_in, *out = (void *)events_out;
    in->atom = (LV2_Atom){sizeof(LV2_Atom_Sequence_Body), sequence};
    in->body = (LV2_Atom_Sequence_Body){0, 0};
    out->atom = (LV2_Atom){sizeof events_out - sizeof(LV2_Atom), chunk};
    while (is_pending && when * rate < frame + block) {
      long place = (long)(when * rate) - frame;
      struct {
        LV2_Atom_Event event;
        uint8_t bytes[8];
      } event = {{{place < 0 ? 0 : place}, {3, midi}}, {bytes[0], bytes[1], bytes[2]}};
      lv2_atom_sequence_append_event(in, sizeof events_in, &event.event);
      is_pending = read_event(&when, bytes);
    }
    clock_t began = clock();
    lilv_instance_run(instance, block);
    if (worker && worker->end_run) worker->end_run(lilv_instance_get_handle(instance));
    took += clock() - began;
    for (int index = 0; index < block; index++) {
      float both[2] = {audio[left][index], audio[right][index]};
      fwrite(both, sizeof both, 1, file);
    }
  }
  if (fclose(file)) return perror(arguments[4]), 74;
  printf("%.6f\n", (double)took / CLOCKS_PER_SEC);
  return 0;
}
