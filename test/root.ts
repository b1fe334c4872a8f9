import path from 'node:path'

/** Absolute path of the root of the repository. */
export const root = path.resolve(import.meta.dirname, '..')
