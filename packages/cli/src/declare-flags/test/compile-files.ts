import path from 'node:path'
import ts from 'typescript'

/** Folder of the files that exist only in memory: their imports are resolved from here. */
const folder = import.meta.dirname

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  customConditions: ['@halyard/source'],
  allowImportingTsExtensions: true,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
}

export interface CompileResult {
  /** Returns the compiler's errors in a file: `<line>: <message>`, lines from 1. */
  errorsOf(file: string): readonly string[]
  readonly program: ts.Program
}

let lastProgram: ts.Program | undefined

/**
 * Compiles files that exist only in memory.
 *
 * @param files texts by name, e.g. `flags.d.ts`.
 * @param extraOptions compiler options.
 */
export function compileFiles(
  files: Readonly<Record<string, string>>,
  extraOptions: ts.CompilerOptions = {},
): CompileResult {
  const texts = new Map(Object.entries(files).map(([name, text]) => [path.join(folder, name), text]))
  const host = ts.createCompilerHost({ ...options, ...extraOptions })
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (file) => texts.has(file) || fileExists(file)
  host.readFile = (file) => texts.get(file) ?? readFile(file)
  host.getSourceFile = (file, ...rest) => {
    const text = texts.get(file)
    if (text !== undefined) return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)
    return lastProgram?.getSourceFile(file) ?? getSourceFile(file, ...rest)
  }
  const program = ts.createProgram({ rootNames: [...texts.keys()], options: { ...options, ...extraOptions }, host })
  lastProgram = program
  return {
    program,
    errorsOf(file) {
      const source = program.getSourceFile(path.join(folder, file)) as ts.SourceFile
      const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
      return diagnostics.map(({ start = 0, messageText }) => {
        const { line } = source.getLineAndCharacterOfPosition(start)
        return `${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0]}`
      })
    },
  }
}
