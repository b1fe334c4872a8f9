import type { Pointer } from './pointer.ts'

/** One operation of a JSON Patch (RFC 6902) with validated form; created only by `parsePatch` and `parseMergePatch`. */
export type Operation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Pointer; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: Pointer }
  | { readonly op: 'move' | 'copy'; readonly from: Pointer; readonly path: Pointer }
