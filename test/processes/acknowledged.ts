/** What a writer says of each change once it is done: a line of JSON. */
export type Acknowledged =
  | { readonly did: 'make' | 'turn on' | 'delete'; readonly key: string }
  | { readonly did: 'tag'; readonly key: string; readonly tag: string }

/** Flags whose keys begin so are deleted in the end. */
export const goingPrefix = 'going'
