import { isTest, type SourceFile, sourcesUnder } from '../source-imports.ts'

/** The sources of all packages. */
export const sources = sourcesUnder('packages')

/** All sources of the packages, and all tests, benchmarks and examples. */
export const allSources = [...sources, ...sourcesUnder('test'), ...sourcesUnder('bench'), ...sourcesUnder('docs')]

/** Returns true for files that run at build time and are not part of the published package. */
export const isForBuilds = (file: string) => /\/src\/build\//.test(file)

/** The sources of the published package core. */
export const core = sources.filter(
  ({ file }) => file.startsWith('packages/core/src/') && !isTest(file) && !isForBuilds(file),
)

/** An import of one file by another. */
export interface Edge {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

/** Returns the imports between files of the repository. */
export const edgesOf = (files: readonly SourceFile[]): Edge[] =>
  files.flatMap(({ file, imports }) =>
    imports.flatMap(({ target, typeOnly }) => (target ? [{ from: file, to: target, typeOnly }] : [])),
  )

/** Returns the path of a file of core below its folder of sources. */
export const within = (file: string) => file.replace('packages/core/src/', '')
