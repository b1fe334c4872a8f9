import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The files of the page, each as it is served. */
export interface PageFiles {
  readonly html: string
  /** Opens the page: the one script that is ours. */
  readonly script: string
  readonly style: string
  readonly renderer: string
  readonly rendererStyle: string
}

/** Where the renderer's files are. */
export const rendererFolder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** Reads the page's files; nothing in them is made, so there is nothing to build. */
export async function readPage(): Promise<PageFiles> {
  const own = (file: string) => readFile(path.resolve(import.meta.dirname, '../page', file), 'utf8')
  const theirs = (file: string) => readFile(path.join(rendererFolder, file), 'utf8')
  const [html, script, style, renderer, rendererStyle] = await Promise.all([
    own('page.html'),
    own('page.js'),
    own('page.css'),
    theirs('swagger-ui-bundle.js'),
    theirs('swagger-ui.css'),
  ])
  return { html, script, style, renderer, rendererStyle }
}
