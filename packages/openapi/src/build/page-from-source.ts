import { readPage } from './read-page.ts'

/** Replaces the module that the build writes, when the package runs from source. */
export const files = await readPage()
