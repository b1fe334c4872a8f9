import { type Api, ApiError, type EngineInput } from '@halyard/core'
import { storageUnavailable } from '@halyard/core/storage'
import { describe, expect, it } from 'vitest'
import { type Account, type Answer, type Ask, pathOf, type Sent, shop } from './account.ts'
import { expectShape, type Shape, withNumbers } from './shape.ts'
import { type SpecError, specErrors } from './spec-errors.ts'

/** An operation as docs/specification.md describes it, with the status of D2. */
export interface SpecOperation {
  readonly id: keyof Api
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /**
   * Whether the specification says beta in the text of the operation (`declared`), or in the tag of its service
   * (`tagged`).
   */
  readonly beta?: 'declared' | 'tagged'
  readonly status: 200 | 201 | 204
  /** The errors that docs/specification.md lists for the operation; where it lists none, all that are possible. */
  readonly errors: readonly SpecError[]
  /** Creates what the call needs and returns its input, with as many fields as possible. */
  given(account: Account): Promise<Ask>
  /** Shape of the response body; undefined where it has none. */
  readonly answer?: Shape
  /** Required properties of the body, dotted. */
  readonly required?: readonly string[]
  /** Path parameters with a fixed list of values. */
  readonly fixed?: readonly string[]
}

/** Expects the error response that the Errors table defines. */
export function expectError(answer: Answer, code: SpecError): void {
  const { status, message } = specErrors[code]
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { code, message } })
  expect(answer.headers.get('content-type')).toBe('application/json')
}

/** Expects an in-process call to reject with the error that the Errors table defines. */
export async function expectRejection(call: Promise<unknown>, code: SpecError): Promise<void> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ApiError)
  expect((error as ApiError).body).toEqual({ code, message: specErrors[code].message })
}

/** Sends the call of an operation as docs/specification.md describes it, with the version header if it is beta. */
export function sendTo({ method, path, beta }: SpecOperation, account: Account, ask: Ask, more: Sent = {}) {
  const headers = { ...(beta ? { 'SVC-API-Version': 'beta' } : {}), ...more.headers }
  const { query, body } = ask
  return account.send(method, pathOf(path, ask.params), {
    ...(query ? { query } : {}),
    ...(body === undefined ? {} : { body }),
    ...more,
    headers,
  })
}

/** Defines the tests that apply to every operation of docs/specification.md. */
export function specTests(operation: SpecOperation): void {
  const { id, method, path, status, answer: shape } = operation

  async function made(input?: Partial<EngineInput>): Promise<{ account: Account; ask: Ask }> {
    const account = await shop(input)
    return { account, ask: await operation.given(account) }
  }

  describe(`${method} ${path}`, () => {
    it(`responds ${status} with the fields of docs/specification.md, over fetch and in process`, async () => {
      const [over, within] = [await made(), await made()]
      const answer = await sendTo(operation, over.account, over.ask)
      expect({ status: answer.status, body: answer.body }).toMatchObject({ status })
      const given = await within.account.call(id, within.ask)
      expect(answer.body).toEqual(given === undefined ? undefined : JSON.parse(JSON.stringify(given)))
      if (shape) {
        expect(answer.headers.get('content-type')).toBe('application/json')
        expectShape(answer.body, shape)
      } else expect(answer.body).toBeUndefined()
    })

    it('returns times as numbers if timestamps are numbers', async () => {
      const { account, ask } = await made({ wire: { timestamps: 'number' } })
      const answer = await sendTo(operation, account, ask)
      expect(answer.status).toBe(status)
      if (shape) expectShape(answer.body, withNumbers(shape))
    })

    betaTests(operation, made)
    bodyTests(operation, made)
    errorTests(operation, made)
  })
}

type Made = (input?: Partial<EngineInput>) => Promise<{ account: Account; ask: Ask }>

function betaTests(operation: SpecOperation, made: Made): void {
  const { beta, status, id } = operation
  const without = { headers: { 'SVC-API-Version': '' } }

  if (!beta) {
    it('needs no version header', async () => {
      const { account, ask } = await made()
      expect((await sendTo(operation, account, ask)).status).toBe(status)
    })
    return
  }
  it('gets 403 without SVC-API-Version: beta, with a message that names the header', async () => {
    const { account, ask } = await made()
    for (const version of ['', '20240415']) {
      const answer = await sendTo(operation, account, ask, { headers: { 'SVC-API-Version': version } })
      const message = 'This operation is in beta: send the header SVC-API-Version: beta.'
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 403,
        body: { code: 'forbidden', message },
      })
    }
  })
  it(`is beta (${beta}): the option betaGate can remove the requirement`, async () => {
    for (const [betaGate, wanted] of [
      ['all', 403],
      ['declared', beta === 'declared' ? 403 : status],
      ['off', status],
    ] as const) {
      const { account, ask } = await made({ betaGate })
      expect([betaGate, (await sendTo(operation, account, ask, without)).status]).toEqual([betaGate, wanted])
    }
  })
  it('needs no version in process', async () => {
    const { account, ask } = await made()
    await expect(account.call(id, ask)).resolves.not.toThrow()
  })
}

function bodyTests(operation: SpecOperation, made: Made): void {
  const { required = [], method, id } = operation
  for (const attribute of required) {
    it(`is 400 without ${attribute}`, async () => {
      const { account, ask } = await made()
      const body = without(ask.body, attribute.split('.'))
      const wanted = {
        code: 'invalid_request',
        message: 'validation failed',
        errors: [{ attribute, reason: 'must be present' }],
      }
      const answer = await sendTo(operation, account, { ...ask, body })
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: wanted })
      const failure = await account.call(id, { ...ask, body }).catch((error: ApiError) => error.body)
      expect(failure).toEqual(wanted)
    })
  }
  if (method === 'GET' || method === 'DELETE') return
  it('gets 400 for a missing body or invalid JSON, with the message of the Errors table', async () => {
    const { account, ask } = await made()
    for (const body of ['', '   ', '{', 'undefined']) {
      expectError(await sendTo(operation, account, { ...ask, body }), 'invalid_request')
    }
    await expectRejection(account.call(id, { ...ask, body: undefined }), 'invalid_request')
  })
  it('gets 400 for a body of another JSON type', async () => {
    const { account, ask } = await made()
    for (const body of ['null', '"text"', '7']) {
      const answer = await sendTo(operation, account, { ...ask, body })
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', message: 'validation failed' } })
      expectShape((answer.body as { errors: unknown }).errors, [{ attribute: 'string', reason: 'string' }])
    }
  })
}

/** Returns the body without one property. */
function without(body: unknown, [name = '', ...rest]: readonly string[]): unknown {
  const copy = structuredClone(body) as Record<string, unknown>
  if (rest.length === 0) delete copy[name]
  else copy[name] = without(copy[name], rest)
  return copy
}

function errorTests(operation: SpecOperation, made: Made): void {
  const { id, errors, method, path, fixed = [] } = operation

  it('gets 401 for a missing or unknown credential', async () => {
    const { account, ask } = await made()
    for (const as of ['', 'nobody', `api-${'0'.repeat(64)}`, 'Basic eDp5']) {
      expectError(await sendTo(operation, account, ask, { as }), 'unauthorized')
    }
    await expectRejection(account.call(id, ask, 'nobody'), 'unauthorized')
  })

  it('gets 403 for a token without permission', async () => {
    const { account, ask } = await made()
    const as = await account.tokenOf({ effect: 'allow', actions: ['viewTeam'], resources: ['team/*'] })
    expectError(await sendTo(operation, account, ask, { as }), 'forbidden')
    await expectRejection(account.call(id, ask, as), 'forbidden')
  })

  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (fixed.includes(name) ? [] : [name]))
  it.each(names)('gets 404 for an unknown %s', async (name) => {
    const { account, ask } = await made()
    for (const value of ['unknown', '-', '__proto__', 'x'.repeat(257), 'a/b']) {
      const params = { ...ask.params, [name]: value }
      expectError(await sendTo(operation, account, { ...ask, params }), 'not_found')
      await expectRejection(account.call(id, { ...ask, params }), 'not_found')
    }
  })

  it('gets 429 beyond the rate limit, with the time to wait in Retry-After', async () => {
    const { account, ask } = await made({ rateLimit: { route: 1 } })
    await sendTo(operation, account, ask)
    const answer = await sendTo(operation, account, ask)
    expectError(answer, 'rate_limited')
    expect(answer.headers.get('retry-after')).toBe('10')
  })

  it('gets 503 while the storage is unavailable', async () => {
    const { account, ask } = await made()
    account.hooks.before = () => {
      throw storageUnavailable('gone')
    }
    expectError(await sendTo(operation, account, ask), 'service_unavailable')
    await expectRejection(account.call(id, ask), 'service_unavailable')
  })

  it('gets 405 for an unsupported method, with the supported ones in Allow', async () => {
    const { account, ask } = await made()
    const answer = await account.send('PURGE', pathOf(path, ask.params))
    expectError(answer, 'method_not_allowed')
    expect(answer.headers.get('allow')?.split(', ')).toContain(method)
  })

  it('declares the errors that docs/specification.md lists', async () => {
    const { engine } = (await made()).account
    const declared: readonly string[] = engine.operations.find((one) => one.id === id)?.errors ?? []
    const atDoors = ['unauthorized', 'forbidden', 'method_not_allowed', 'rate_limited', 'service_unavailable']
    expect(errors.filter((code) => !atDoors.includes(code) && !declared.includes(code))).toEqual([])
  })
}
