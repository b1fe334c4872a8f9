import { readdirSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { isTest, root, sourcesUnder } from '../source-imports.ts'

const packages = readdirSync(path.join(root, 'packages')).sort()

/** Returns the folders that a project references, from the root of the repository. */
function referencesOf(file: string): string[] {
  const { config } = ts.readConfigFile(path.join(root, file), ts.sys.readFile)
  const references: readonly { path: string }[] = config.references ?? []
  return references.map((reference) => path.posix.join(path.posix.dirname(file), reference.path)).sort()
}

it('`tsc -b` checks every package and the tests', () => {
  const folders = packages.map((name) => `packages/${name}`)
  expect(referencesOf('tsconfig.json'), 'edit the references of tsconfig.json').toEqual([...folders, 'test'])
  expect(referencesOf('test/tsconfig.json'), 'edit the references of test/tsconfig.json').toEqual(folders)
})

it('a change of a package rechecks the packages that import it', () => {
  const sources = sourcesUnder('packages').filter(({ file }) => !isTest(file) && !file.endsWith('.fixture.ts'))
  const problems = packages.flatMap((name) => {
    const folder = `packages/${name}`
    const imported = sources
      .filter(({ file }) => file.startsWith(`${folder}/src/`))
      .flatMap(({ imports }) => imports.map(({ target }) => target?.split('/').slice(0, 2).join('/') ?? folder))
    const expected = [...new Set(imported)].filter((other) => other !== folder).sort()
    return referencesOf(`${folder}/tsconfig.json`).join() === expected.join()
      ? []
      : [`${folder}/tsconfig.json: reference exactly ${expected.join(', ') || 'no package'}`]
  })
  expect(problems).toEqual([])
})

it('every TypeScript file belongs to a project', () => {
  const checked = new Set(['test', ...packages.map((name) => `packages/${name}`)].flatMap(filesOf))
  const { config } = ts.readConfigFile(path.join(root, 'test/tsconfig.json'), ts.sys.readFile)
  const excluded: string[] = config.exclude.map((each: string) => path.posix.join('test', each))
  const unchecked = ['packages', 'test', 'bench', 'docs']
    .flatMap(sourcesUnder)
    .map(({ file }) => file)
    .filter((file) => !checked.has(file) && !excluded.some((each) => file === each || file.startsWith(`${each}/`)))
  expect(unchecked, 'add these files to `include` of test/tsconfig.json').toEqual([])
})

/** Returns the files of a project, from the root of the repository. */
function filesOf(folder: string): string[] {
  const file = path.join(root, folder, 'tsconfig.json')
  const { config } = ts.readConfigFile(file, ts.sys.readFile)
  const { fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, path.dirname(file), undefined, file)
  return fileNames.map((name) => path.relative(root, name).replaceAll(path.sep, '/'))
}
