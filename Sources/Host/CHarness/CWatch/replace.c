#define _GNU_SOURCE
#include "replace.h"

#include <link.h>
#include <string.h>

static int is_swift_runtime(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  static const char *const prefixes[] = {
      "libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime"};
  for (size_t index = 0; index < sizeof prefixes / sizeof *prefixes; index++)
    if (strncmp(name, prefixes[index], strlen(prefixes[index])) == 0) return 1;
  return 0;
}

void watch_replace(const struct celf_replacement *table, int spares_swift) {
  // Skips the first, which is the program itself, and the loader and the kernel's page (vDSO),
  // which import nothing.
  for (const struct link_map *map = _r_debug.r_map->l_next; map != NULL; map = map->l_next) {
    if (map->l_name == NULL || map->l_name[0] != '/' || strstr(map->l_name, "/ld-linux") != NULL)
      continue;
    if (spares_swift && is_swift_runtime(map->l_name)) continue;
    celf_replace_imports(map, table);
  }
}
