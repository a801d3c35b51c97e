// Information from the dynamic loader about loaded libraries: what a library imports, and which library a
// function is in.
#ifndef OPCODEKIT_CELF_H
#define OPCODEKIT_CELF_H

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// glibc declares these only for C compiled with _GNU_SOURCE, which Swift's modules are not.
struct celf_symbol {
  const char *path;
  void *base;
  const char *name;
  void *address;
};
extern int celf_find_symbol(const void *address, struct celf_symbol *symbol) __asm__("dladdr");
extern int celf_library_info(void *library, int request, void *info) __asm__("dlinfo");
enum { celf_link_map = 2 };

// The path of the library that contains a function; NULL if none does.
static inline const char *celf_library_of(const void *function) {
  struct celf_symbol symbol;
  return function != NULL && celf_find_symbol(function, &symbol) != 0 ? symbol.path : NULL;
}

// Whether a library from dlopen needs another, such as "libstdc++.so"; `name` is the beginning of its name.
static inline int celf_needs(void *library, const char *name) {
  struct link_map *map = NULL;
  const char *strings = NULL;
  if (celf_library_info(library, celf_link_map, &map) != 0 || map == NULL) return 0;
  for (const Elf64_Dyn *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_STRTAB) strings = (const char *)entry->d_un.d_ptr;
  for (const Elf64_Dyn *entry = map->l_ld; entry->d_tag != DT_NULL && strings != NULL; entry++)
    if (entry->d_tag == DT_NEEDED &&
        strncmp(strings + entry->d_un.d_val, name, strlen(name)) == 0)
      return 1;
  return 0;
}

// The types of relocations with which a library imports an address.
#if defined(__aarch64__)
enum { celf_slot = R_AARCH64_JUMP_SLOT, celf_data = R_AARCH64_GLOB_DAT, celf_word = R_AARCH64_ABS64 };
#else
enum { celf_slot = R_X86_64_JUMP_SLOT, celf_data = R_X86_64_GLOB_DAT, celf_word = R_X86_64_64 };
#endif

// A function that replaces the imported function of this name.
struct celf_replacement {
  const char *name;
  void *function;
};

static inline void *celf_replacement_of(const struct celf_replacement *table, const char *name) {
  for (; table->name != NULL; table++)
    if (strcmp(table->name, name) == 0) return table->function;
  return NULL;
}

// Replaces functions that a loaded library imports by those of the same names in a table, which ends with a
// NULL name. Other libraries keep the originals. The imported addresses are found by the relocations that
// name them.
static inline void celf_replace_imports(
    const struct link_map *map, const struct celf_replacement *table) {
  const Elf64_Rela *relocations[2] = {NULL, NULL};
  size_t sizes[2] = {0, 0};
  const Elf64_Sym *symbols = NULL;
  const char *strings = NULL;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (const Elf64_Dyn *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
    switch (entry->d_tag) {
    case DT_SYMTAB: symbols = (const Elf64_Sym *)entry->d_un.d_ptr; break;
    case DT_STRTAB: strings = (const char *)entry->d_un.d_ptr; break;
    case DT_JMPREL: relocations[0] = (const Elf64_Rela *)entry->d_un.d_ptr; break;
    case DT_PLTRELSZ: sizes[0] = entry->d_un.d_val; break;
    case DT_RELA: relocations[1] = (const Elf64_Rela *)entry->d_un.d_ptr; break;
    case DT_RELASZ: sizes[1] = entry->d_un.d_val; break;
    }
  }
  if (symbols == NULL || strings == NULL) return;
  for (int part = 0; part < 2; part++) {
    if (relocations[part] == NULL) continue;
    for (size_t index = 0; index < sizes[part] / sizeof(Elf64_Rela); index++) {
      const Elf64_Rela *relocation = &relocations[part][index];
      uint32_t kind = ELF64_R_TYPE(relocation->r_info);
      if (kind != celf_slot && kind != celf_data && kind != celf_word) continue;
      const Elf64_Sym *symbol = &symbols[ELF64_R_SYM(relocation->r_info)];
      void *function = celf_replacement_of(table, strings + symbol->st_name);
      uintptr_t place = map->l_addr + relocation->r_offset;
      // The loader may have made the page read-only after relocation.
      if (function != NULL &&
          mprotect((void *)(place & ~(page - 1)), page, PROT_READ | PROT_WRITE) == 0)
        *(void **)place = function;
    }
  }
}

// Replaces one function that a library from dlopen imports.
static inline void celf_replace_import(void *library, const char *name, void *replacement) {
  struct link_map *map = NULL;
  const struct celf_replacement table[2] = {{name, replacement}, {NULL, NULL}};
  if (celf_library_info(library, celf_link_map, &map) == 0 && map != NULL)
    celf_replace_imports(map, table);
}

#endif
