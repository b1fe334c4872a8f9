import { readPage } from './read-page.ts'

/** Stands for the file that the build writes, where the package runs from its source. */
export const files = await readPage()
