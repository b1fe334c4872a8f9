import type { Operation } from '@halyard/core/operations'
import type { TransportClient, TransportResponse } from '../../../transport/transport-harness.ts'
import type { Example, ExampleContext, ExampleMakers } from '../../example.ts'
import { requestOf, withHeaders } from '../../operation-fixture.ts'
import { type RandomSource, randomSource } from './random-source.ts'

export interface WalkOptions {
  readonly operations: readonly Operation[]
  readonly examples: ExampleMakers
  /** Processes that serve the account; each call goes to one of them. */
  readonly clients: readonly TransportClient[]
  /** Tokens of the callers; each call has one of them. */
  readonly tokens: readonly string[]
  readonly seed: number
  /** Returns false for an operation that the walk leaves out. Default: no operation is left out. */
  readonly includes?: (id: string) => boolean
  /** Called after each write that succeeded. */
  readonly onWrite?: () => Promise<void>
}

/** Counts of the calls of a walk. */
export interface WalkReport {
  /** Number of calls of writing operations that succeeded. */
  writes: number
  /** Number of calls that were refused. */
  refusals: number
  /** Responses that no call may have: 5xx. */
  readonly failures: string[]
}

/**
 * Operations that delete so much that they are called rarely. Projects are deleted as often as all others, because the
 * deletion of a project with more than 1,000 documents cannot be reverted.
 */
const rare: Readonly<Record<string, number>> = {
  deleteEnvironment: 3,
  deleteFlag: 3,
  deleteSegment: 3,
  deleteAIConfig: 3,
  deleteMember: 3,
}

const keyCount = 6

/**
 * Maximum numbers of resources that make every later write slower, because each webhook and each destination receives
 * every change. Without a maximum, the duration of a walk would grow with the square of its length.
 */
const bounds: Readonly<Record<string, number>> = { createWebhook: 3, createDestination: 3 }

/** The error for an example that cannot be made, because a call that it needs was refused. */
class ExampleSkipped extends Error {}

/**
 * Calls random writing operations of an account. The calls are made from the examples, but they use existing resources:
 * keys are usually drawn from a small set, and a resource that exists under a key is used again.
 */
export class RandomWalk {
  readonly #options: WalkOptions
  readonly #random: RandomSource
  readonly #byId: ReadonlyMap<string, Operation>
  readonly #writing: readonly Operation[]
  readonly report: WalkReport = { writes: 0, refusals: 0, failures: [] }
  /** Responses of the bounded creations whose resources exist. */
  readonly #bounded = new Map<string, TransportResponse[]>(Object.keys(bounds).map((id) => [id, []]))
  #count = 0

  constructor(options: WalkOptions) {
    const { operations, includes = () => true, seed } = options
    this.#options = options
    this.#random = randomSource(seed)
    this.#byId = new Map(operations.map((operation) => [operation.id, operation]))
    this.#writing = operations.filter(({ id, method, dry }) => method !== 'GET' && !dry && includes(id))
  }

  /** Makes calls until a number of writes succeeded. */
  async run(writes: number): Promise<WalkReport> {
    const end = this.report.writes + writes
    while (this.report.writes < end && this.report.failures.length === 0) await this.#step()
    return this.report
  }

  async #step(): Promise<void> {
    const operation = this.#random.pick(this.#writing)
    if (this.#random.below(rare[operation.id] ?? 1) > 0 || this.#isFull(operation.id)) return
    try {
      await this.#send(operation, await this.#exampleOf(operation.id))
    } catch (error) {
      if (!(error instanceof ExampleSkipped)) throw error
    }
  }

  #exampleOf(id: string): Promise<Example> {
    const context: ExampleContext = {
      newKey: () => (this.#random.below(4) > 0 ? `k${this.#random.below(keyCount)}` : `n${++this.#count}`),
      call: (exampleId, input) => this.#call(exampleId, input),
    }
    return Promise.resolve(this.#options.examples[id]?.(context) ?? {})
  }

  /** Calls an operation that creates what an example needs, unless it exists already. */
  async #call<Body>(id: string, input?: Example): Promise<Body> {
    const operation = this.#byId.get(id) as Operation
    if (operation.method !== 'GET' && !this.#writing.includes(operation)) throw new ExampleSkipped(id)
    const example = input ?? (await this.#exampleOf(id))
    const existing = this.#isFull(id)
      ? this.#random.pick(this.#bounded.get(id) ?? [])
      : await this.#existing(operation, example)
    const response = existing ?? (await this.#send(operation, example))
    if (response.status >= 300) throw new ExampleSkipped(`${id}: ${response.body}`)
    return (response.body === '' ? {} : JSON.parse(response.body)) as Body
  }

  /** Returns the resource that a creation would create, if it exists. */
  async #existing({ method, path }: Operation, { params, body }: Example): Promise<TransportResponse | undefined> {
    const { key } = (body ?? {}) as { readonly key?: unknown }
    if (method !== 'POST' || typeof key !== 'string') return undefined
    const reading = [...this.#byId.values()].find(
      (operation) =>
        operation.method === 'GET' && operation.path.replace(/\/\{\w+\}$/, '') === path && operation.path !== path,
    )
    const name = reading?.path.match(/\{(\w+)\}$/)?.[1]
    if (!reading || name === undefined) return undefined
    const response = await this.#request(reading, { params: { ...params, [name]: key } })
    return response.status === 200 ? response : undefined
  }

  async #send(operation: Operation, example: Example): Promise<TransportResponse> {
    const response = await this.#request(operation, example)
    if (operation.method === 'GET') return response
    if (response.status < 300) {
      this.report.writes++
      await this.#options.onWrite?.()
    } else this.report.refusals++
    this.#recordBounded(operation, example, response)
    return response
  }

  #isFull(id: string): boolean {
    return (this.#bounded.get(id)?.length ?? 0) >= (bounds[id] ?? Number.POSITIVE_INFINITY)
  }

  /**
   * Counts a bounded resource from its creation to its deletion, or to the first change that responds that it does not
   * exist.
   */
  #recordBounded({ id, method }: Operation, { params }: Example, response: TransportResponse): void {
    if (response.status < 300 && method !== 'DELETE') this.#bounded.get(id)?.push(response)
    if (response.status !== 404 && !(response.status < 300 && method === 'DELETE')) return
    for (const [creation, made] of this.#bounded) {
      const isNamed = ({ body }: TransportResponse) => Object.values(params ?? {}).includes(JSON.parse(body)._id)
      this.#bounded.set(
        creation,
        made.filter((each) => !isNamed(each)),
      )
    }
  }

  async #request(operation: Operation, example: Example): Promise<TransportResponse> {
    const { clients, tokens } = this.#options
    const request = withHeaders(requestOf(operation, example), { authorization: this.#random.pick(tokens) })
    const response = await this.#random.pick(clients).send(request)
    if (response.status >= 500) this.report.failures.push(`${request.method} ${request.path}: ${response.body}`)
    return response
  }
}
