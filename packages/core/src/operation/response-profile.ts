import type { Reader } from '../storage/reader.ts'

/** A call whose response is reshaped. */
export interface ReshapedCall {
  /** The account of the engine. */
  readonly account: string
  readonly params: Readonly<Record<string, string>>
  /** The validated query. */
  readonly query: unknown
  /** Reads of the call. */
  readonly tx: Reader
}

/**
 * Returns a body with the differences of a profile. It must not change the body that it receives, because the engine
 * caches parts of bodies.
 */
export type ReshapeBody = (body: unknown, call: ReshapedCall) => unknown | Promise<unknown>

/**
 * The differences between the responses of operations and the responses in another description of the API
 * (docs/decisions/0065-reshape-responses-for-the-public-clients.md). The responses of operations that are not listed do
 * not differ.
 */
export interface ResponseProfile {
  /** Query parameters that are added to requests without them, by the id of the operation. */
  readonly queries: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The differences by the id of the operation. */
  readonly bodies: Readonly<Record<string, ReshapeBody>>
}

/** A profile that is imported before the first request. */
export class LazyResponseProfile {
  readonly #load: () => Promise<ResponseProfile>
  #loaded: ResponseProfile | undefined

  /** @param load imports the profile. After a failure, it is called again. */
  constructor(load: () => Promise<ResponseProfile>) {
    this.#load = load
  }

  /** The profile; undefined until it is imported. */
  get loaded(): ResponseProfile | undefined {
    return this.#loaded
  }

  async load(): Promise<void> {
    this.#loaded = await this.#load()
  }
}
