import type { CompilePattern } from './safe-pattern.ts'

/** A flag or segment as SDKs receive it, compiled when it is first evaluated. */
export class CompiledOnDemand<Data, Compiled extends object> {
  readonly data: Data
  readonly #compile: (data: Data, compilePattern?: CompilePattern) => Compiled
  readonly #compilePattern: CompilePattern | undefined
  #compiled: Compiled | undefined

  /** @param compile every call must return the same for the same data. */
  constructor(
    data: Data,
    compile: (data: Data, compilePattern?: CompilePattern) => Compiled,
    pattern?: CompilePattern,
  ) {
    this.data = data
    this.#compile = compile
    this.#compilePattern = pattern
  }

  get(): Compiled {
    this.#compiled ??= this.#compile(this.data, this.#compilePattern)
    return this.#compiled
  }
}
