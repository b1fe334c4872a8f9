import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { cliError } from '../cli-error.ts'
import type { Application, Framework } from './application.ts'

/** The file that creates the server of an application, and the position at which it does. */
export interface Entry {
  /** Path from the folder of the application. */
  readonly file: string
  readonly text: string
  /** Name of the variable with the server, e.g. `app`. */
  readonly variable: string
  /** Index of the first character after the statement that creates the server. */
  readonly end: number
  /** Index of the first character after the line that imports the framework. */
  readonly importEnd: number
}

/** A framework whose applications have a file that creates the server. */
export type MountedFramework = Exclude<Framework, 'next'>

interface MountPoint {
  /** Name of a package. The import of the flags is inserted after the import of this package. */
  readonly package: string
  /** Matches the statement that creates the server, up to its first parenthesis. */
  readonly created: RegExp
}

const mountPoints: Readonly<Record<MountedFramework, MountPoint>> = {
  express: { package: 'express', created: /^[ \t]*(?:export )?(?:const|let|var) (\w+)[^=\n]*= *express(?=\()/m },
  hono: {
    package: 'hono',
    created: /^[ \t]*(?:export )?(?:const|let|var) (\w+)[^=\n]*= *new Hono(?:<[^\n(]*>)?(?=\()/m,
  },
  nest: {
    package: '@nestjs/core',
    created: /^[ \t]*(?:const|let|var) (\w+)[^=\n]*= *await NestFactory\.create(?:<[^\n(]*>)?(?=\()/m,
  },
}

const entryNames = ['app', 'index', 'server', 'main'] as const
const entryExtensions = ['ts', 'mts', 'js', 'mjs', 'cjs'] as const

/**
 * Finds the file that creates the server of an application.
 *
 * @param named path that the user named. Default: the first file that creates a server. The file that package.json
 *   names as `main` is searched first, then the files with a name in `entryNames`, in `src` and beside package.json.
 * @throws CliError when no file creates a server in the expected way.
 */
export function findEntry(
  { folder, main }: Application,
  framework: MountedFramework,
  named: string | undefined,
): Entry {
  const usual = ['src', '.'].flatMap((where) =>
    entryNames.flatMap((name) => entryExtensions.map((extension) => path.join(where, `${name}.${extension}`))),
  )
  const files = named === undefined ? [...(main === undefined ? [] : [main]), ...usual] : [named]
  for (const file of files.filter((each) => existsSync(path.join(folder, each)))) {
    const entry = entryIn(path.normalize(file), readFileSync(path.join(folder, file), 'utf8'), mountPoints[framework])
    if (entry) return entry
  }
  throw cliError(
    `no statement like ${statements[framework]} in ${named ?? searchedFiles(main)}; name the file with --entry`,
  )
}

/** Names the files that are searched when the user names no file, for an error message. */
function searchedFiles(main: string | undefined): string {
  const names = listText(entryNames)
  const extensions = listText(entryExtensions.map((extension) => `.${extension}`))
  return `${main === undefined ? '' : `${main}, or in `}${names} (${extensions}) in src or beside package.json`
}

const listText = (texts: readonly string[]) => `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`

const statements: Readonly<Record<MountedFramework, string>> = {
  express: '`const app = express()`',
  hono: '`const app = new Hono()`',
  nest: '`const app = await NestFactory.create(AppModule)`',
}

function entryIn(file: string, text: string, { package: name, created }: MountPoint): Entry | undefined {
  const creation = created.exec(text)
  const imported = new RegExp(`^[^\\n]*\\b(?:from|require\\() *['"]${name}['"][^\\n]*$`, 'm').exec(text)
  if (!creation || !imported) return undefined
  const end = endOfCall(text, creation.index + creation[0].length)
  // No statement can be inserted into a chain of calls.
  if (end === undefined || /^\s*\./.test(text.slice(end))) return undefined
  const importEnd = imported.index + imported[0].length
  return { file, text, variable: creation[1] as string, end: endOfLine(text, end), importEnd }
}

/** Returns the index after the closing parenthesis that belongs to the opening parenthesis at an index. */
function endOfCall(text: string, start: number): number | undefined {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    if (text[i] === '(') depth++
    if (text[i] === ')' && --depth === 0) return i + 1
  }
  return undefined
}

function endOfLine(text: string, index: number): number {
  const end = text.indexOf('\n', index)
  return end < 0 ? text.length : end
}

/** The module of the engine, and the path at which it is mounted. */
export interface EngineMount {
  /** Module with the flags, e.g. `./halyard.js`. */
  readonly specifier: string
  /** E.g. `/features`. */
  readonly mountPath: string
}

/** Returns the text of an entry that mounts the flags under a path, with the quotes and semicolons of the entry. */
export function mountedText(entry: Entry, framework: MountedFramework, { specifier, mountPath }: EngineMount): string {
  const { text, variable, end, importEnd } = entry
  const importLine = lineBefore(text, importEnd)
  const quote = importLine.includes('"') ? '"' : "'"
  const semicolon = importLine.trimEnd().endsWith(';') ? ';' : ''
  const isRequired = importLine.includes('require(')
  const module = `${quote}${specifier}${quote}`
  const imported = isRequired
    ? `const { features } = require(${module})${semicolon}`
    : `import { features } from ${module}${semicolon}`
  const method = framework === 'hono' ? 'mount' : 'use'
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', statementStart(text, variable)) + 1))?.[0] ?? ''
  const mounted = `${indent}${variable}.${method}(${quote}${mountPath}${quote}, features)${semicolon}`
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const trim = (index: number) => (text[index - 1] === '\r' ? index - 1 : index)
  const [first, second] = [trim(importEnd), trim(end)]
  return `${text.slice(0, first)}${newline}${imported}${text.slice(first, second)}${newline}${mounted}${text.slice(second)}`
}

function lineBefore(text: string, end: number): string {
  return text.slice(text.lastIndexOf('\n', end - 1) + 1, end)
}

/** Returns the index of the variable's declaration. */
function statementStart(text: string, variable: string): number {
  return text.search(new RegExp(`(?:const|let|var) ${variable}\\b`))
}
