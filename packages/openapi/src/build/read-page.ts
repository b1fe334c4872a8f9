import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The files of the page, as they are served. */
export interface PageFiles {
  readonly html: string
  /** The script that opens the page; the other scripts belong to the renderer. */
  readonly script: string
  readonly style: string
  readonly renderer: string
  readonly rendererStyle: string
}

/** Folder of the renderer's files. */
export const rendererFolder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** Reads the files of the page. They exist before the build. */
export async function readPage(): Promise<PageFiles> {
  const readOwn = (file: string) => readFile(path.resolve(import.meta.dirname, '../page', file), 'utf8')
  const readRendererFile = (file: string) => readFile(path.join(rendererFolder, file), 'utf8')
  const [html, script, style, renderer, rendererStyle] = await Promise.all([
    readOwn('page.html'),
    readOwn('page.js'),
    readOwn('page.css'),
    readRendererFile('swagger-ui-bundle.js'),
    readRendererFile('swagger-ui.css'),
  ])
  return { html, script, style, renderer, rendererStyle }
}
