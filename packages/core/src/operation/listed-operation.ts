import { definitionOf, type Operation } from './operation.ts'

/**
 * The part of an operation that `generated/listed-operations.ts` declares. Routes, rights and explanations need only
 * this part, so they do not import the definition.
 */
export type ListedOperation = Pick<
  Operation,
  'id' | 'summary' | 'method' | 'path' | 'beta' | 'freeParams' | 'errors' | 'access'
>

/** Makes every property required, so that the compiler reports a property that is missing in the class. */
type Complete<T> = { readonly [K in keyof Required<T>]: T[K] }

/**
 * Returns an operation whose definition is imported at its first call. Until then its schemas and its handler cannot be
 * read, unless another module has imported the definition.
 *
 * @param importDefinition imports the module that contains the definition.
 */
export function listedOperation(listed: ListedOperation, importDefinition: () => Promise<unknown>): Operation {
  return new OperationOnDemand(listed, importDefinition)
}

/**
 * A class, because accessors defined on each of several hundred objects would take a fifth of the time of importing
 * core.
 */
class OperationOnDemand implements Complete<Operation> {
  readonly id: Operation['id']
  readonly summary: Operation['summary']
  readonly method: Operation['method']
  readonly path: Operation['path']
  readonly beta: Operation['beta']
  readonly freeParams: Operation['freeParams']
  readonly errors: Operation['errors']
  readonly access: Operation['access']
  readonly #importDefinition: () => Promise<unknown>
  #loaded: Operation | undefined

  constructor(listed: ListedOperation, importDefinition: () => Promise<unknown>) {
    this.id = listed.id
    this.summary = listed.summary
    this.method = listed.method
    this.path = listed.path
    this.beta = listed.beta
    this.freeParams = listed.freeParams
    this.errors = listed.errors
    this.access = listed.access
    this.#importDefinition = importDefinition
  }

  load(): Operation | Promise<Operation> {
    return this.#loaded ?? this.#importDefinition().then(() => this.#definition())
  }

  get query(): Operation['query'] {
    return this.#definition().query
  }
  get body(): Operation['body'] {
    return this.#definition().body
  }
  get bodyLimit(): Operation['bodyLimit'] {
    return this.#definition().bodyLimit
  }
  get dry(): Operation['dry'] {
    return this.#definition().dry
  }
  get success(): Operation['success'] {
    return this.#definition().success
  }
  get undo(): Operation['undo'] {
    return this.#definition().undo
  }
  get identify(): Operation['identify'] {
    return this.#definition().identify
  }
  get undoes(): Operation['undoes'] {
    return this.#definition().undoes
  }
  get combines(): Operation['combines'] {
    return this.#definition().combines
  }

  handle(...input: Parameters<Operation['handle']>): ReturnType<Operation['handle']> {
    return this.#definition().handle(...input)
  }

  #definition(): Operation {
    this.#loaded ??= definitionOf(this.id)
    if (!this.#loaded) throw new Error(`${this.id}: await engine.definitions() before reading schemas of operations`)
    return this.#loaded
  }
}
