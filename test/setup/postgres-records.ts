import type { Change } from '@halyard/core/storage'

/** Returns the id of a flag. */
export const at = (key: string, scope = 'proj/p') => ({ collection: 'flags', scope, key })
/** Returns a change that inserts a flag that has only a key. */
export const insert = (key: string, scope?: string): Change => ({
  do: 'insert',
  id: at(key, scope),
  body: { key },
  fields: { name: key },
})
/** A set of keys. */
export const set = { name: 'included', scope: 'proj/p' }
/** A series of samples. */
export const series = { name: 'lead-time', scope: 'proj/p' }
/** A sample of the series. */
export const sample = { id: 's1', at: 5, label: 'app', values: [1], body: null }
