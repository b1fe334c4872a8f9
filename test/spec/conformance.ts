import { type Api, ApiError, type EngineInput } from '@halyard/core'
import { storageUnavailable } from '@halyard/core/storage'
import { describe, expect, it } from 'vitest'
import {
  type Account,
  type ApiResponse,
  type CallInput,
  createShopAccount,
  pathOf,
  type SendOptions,
} from './account.ts'
import { expectShape, type Shape, withNumbers } from './shape.ts'
import { type SpecError, specErrors } from './spec-errors.ts'

/**
 * An operation as docs/specification.md describes it, with the status of decision D2
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d2-success-status).
 */
export interface SpecOperation {
  readonly id: keyof Api
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /**
   * `declared` if the specification says beta in the text of the operation, `tagged` if it says so in the tag of its
   * service.
   */
  readonly beta?: 'declared' | 'tagged'
  readonly status: 200 | 201 | 204
  /**
   * The errors that docs/specification.md lists for the operation. If it lists no errors, these are all possible
   * errors.
   */
  readonly errors: readonly SpecError[]
  /** Creates what the call needs and returns its input, with as many fields as possible. */
  setUp(account: Account): Promise<CallInput>
  /** Shape of the response body; undefined when the response has no body. */
  readonly response?: Shape
  /** Required properties of the body, dotted. */
  readonly required?: readonly string[]
  /** Path parameters with a fixed list of values. */
  readonly enumeratedParams?: readonly string[]
}

/** Expects the error response that the Errors table defines. */
export function expectError(response: ApiResponse, code: SpecError): void {
  const { status, message } = specErrors[code]
  expect({ status: response.status, body: response.body }).toEqual({ status, body: { code, message } })
  expect(response.headers.get('content-type')).toBe('application/json')
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
export function sendTo(
  { method, path, beta }: SpecOperation,
  account: Account,
  input: CallInput,
  options: SendOptions = {},
) {
  const headers = { ...(beta ? { 'SVC-API-Version': 'beta' } : {}), ...options.headers }
  const { query, body } = input
  return account.send(method, pathOf(path, input.params), {
    ...(query ? { query } : {}),
    ...(body === undefined ? {} : { body }),
    ...options,
    headers,
  })
}

/** Defines the tests that apply to every operation of docs/specification.md. */
export function specTests(operation: SpecOperation): void {
  const { id, method, path, status, response: shape } = operation

  async function setUpCase(input?: Partial<EngineInput>): Promise<{ account: Account; input: CallInput }> {
    const account = await createShopAccount(input)
    return { account, input: await operation.setUp(account) }
  }

  describe(`${method} ${path}`, () => {
    it(`responds ${status} with the fields of docs/specification.md, over fetch and in process`, async () => {
      const [overFetch, inProcess] = [await setUpCase(), await setUpCase()]
      const response = await sendTo(operation, overFetch.account, overFetch.input)
      expect({ status: response.status, body: response.body }).toMatchObject({ status })
      const inProcessBody = await inProcess.account.call(id, inProcess.input)
      expect(response.body).toEqual(inProcessBody === undefined ? undefined : JSON.parse(JSON.stringify(inProcessBody)))
      if (shape) {
        expect(response.headers.get('content-type')).toBe('application/json')
        expectShape(response.body, shape)
      } else expect(response.body).toBeUndefined()
    })

    it('returns times as numbers if timestamps are numbers', async () => {
      const { account, input } = await setUpCase({ wire: { timestamps: 'number' } })
      const response = await sendTo(operation, account, input)
      expect(response.status).toBe(status)
      if (shape) expectShape(response.body, withNumbers(shape))
    })

    betaTests(operation, setUpCase)
    bodyTests(operation, setUpCase)
    errorTests(operation, setUpCase)
  })
}

type SetUpCase = (input?: Partial<EngineInput>) => Promise<{ account: Account; input: CallInput }>

function betaTests(operation: SpecOperation, setUpCase: SetUpCase): void {
  const { beta, status, id } = operation
  const withoutBeta = { headers: { 'SVC-API-Version': '' } }

  if (!beta) {
    it('needs no version header', async () => {
      const { account, input } = await setUpCase()
      expect((await sendTo(operation, account, input)).status).toBe(status)
    })
    return
  }
  it('gets 403 without SVC-API-Version: beta, with a message that names the header', async () => {
    const { account, input } = await setUpCase()
    for (const version of ['', '20240415']) {
      const response = await sendTo(operation, account, input, { headers: { 'SVC-API-Version': version } })
      const message = 'This operation is in beta: send the header SVC-API-Version: beta.'
      expect({ status: response.status, body: response.body }).toEqual({
        status: 403,
        body: { code: 'forbidden', message },
      })
    }
  })
  it(`is beta (${beta}): the option betaGate can remove the requirement`, async () => {
    for (const [betaGate, expected] of [
      ['all', 403],
      ['declared', beta === 'declared' ? 403 : status],
      ['off', status],
    ] as const) {
      const { account, input } = await setUpCase({ betaGate })
      expect([betaGate, (await sendTo(operation, account, input, withoutBeta)).status]).toEqual([betaGate, expected])
    }
  })
  it('needs no version in process', async () => {
    const { account, input } = await setUpCase()
    await expect(account.call(id, input)).resolves.not.toThrow()
  })
}

function bodyTests(operation: SpecOperation, setUpCase: SetUpCase): void {
  const { required = [], method, id } = operation
  for (const attribute of required) {
    it(`is refused with 400 without ${attribute}`, async () => {
      const { account, input } = await setUpCase()
      const body = withoutProperty(input.body, attribute.split('.'))
      const expected = {
        code: 'invalid_request',
        message: 'validation failed',
        errors: [{ attribute, reason: 'must be present' }],
      }
      const response = await sendTo(operation, account, { ...input, body })
      expect({ status: response.status, body: response.body }).toEqual({ status: 400, body: expected })
      const failure = await account.call(id, { ...input, body }).catch((error: ApiError) => error.body)
      expect(failure).toEqual(expected)
    })
  }
  if (method === 'GET' || method === 'DELETE') return
  it('gets 400 for a missing body or invalid JSON, with the message of the Errors table', async () => {
    const { account, input } = await setUpCase()
    for (const body of ['', '   ', '{', 'undefined']) {
      expectError(await sendTo(operation, account, { ...input, body }), 'invalid_request')
    }
    await expectRejection(account.call(id, { ...input, body: undefined }), 'invalid_request')
  })
  it('gets 400 for a body of another JSON type', async () => {
    const { account, input } = await setUpCase()
    for (const body of ['null', '"text"', '7']) {
      const response = await sendTo(operation, account, { ...input, body })
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request', message: 'validation failed' } })
      expectShape((response.body as { errors: unknown }).errors, [{ attribute: 'string', reason: 'string' }])
    }
  })
}

/** Returns the body without one property. */
function withoutProperty(body: unknown, [name = '', ...rest]: readonly string[]): unknown {
  const copy = structuredClone(body) as Record<string, unknown>
  if (rest.length === 0) delete copy[name]
  else copy[name] = withoutProperty(copy[name], rest)
  return copy
}

function errorTests(operation: SpecOperation, setUpCase: SetUpCase): void {
  const { id, errors, method, path, enumeratedParams = [] } = operation

  it('gets 401 for a missing or unknown credential', async () => {
    const { account, input } = await setUpCase()
    for (const as of ['', 'nobody', `api-${'0'.repeat(64)}`, 'Basic eDp5']) {
      expectError(await sendTo(operation, account, input, { as }), 'unauthorized')
    }
    await expectRejection(account.call(id, input, 'nobody'), 'unauthorized')
  })

  it('gets 403 for a token without permission', async () => {
    const { account, input } = await setUpCase()
    const as = await account.tokenOf({ effect: 'allow', actions: ['viewTeam'], resources: ['team/*'] })
    expectError(await sendTo(operation, account, input, { as }), 'forbidden')
    await expectRejection(account.call(id, input, as), 'forbidden')
  })

  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    enumeratedParams.includes(name) ? [] : [name],
  )
  it.each(names)('gets 404 for an unknown %s', async (name) => {
    const { account, input } = await setUpCase()
    for (const value of ['unknown', '-', '__proto__', 'x'.repeat(257), 'a/b']) {
      const params = { ...input.params, [name]: value }
      expectError(await sendTo(operation, account, { ...input, params }), 'not_found')
      await expectRejection(account.call(id, { ...input, params }), 'not_found')
    }
  })

  it('gets 429 beyond the rate limit, with the time to wait in Retry-After', async () => {
    const { account, input } = await setUpCase({ rateLimit: { route: 1 } })
    await sendTo(operation, account, input)
    const response = await sendTo(operation, account, input)
    expectError(response, 'rate_limited')
    expect(response.headers.get('retry-after')).toBe('10')
  })

  it('gets 503 while the storage is unavailable', async () => {
    const { account, input } = await setUpCase()
    account.hooks.before = () => {
      throw storageUnavailable('gone')
    }
    expectError(await sendTo(operation, account, input), 'service_unavailable')
    await expectRejection(account.call(id, input), 'service_unavailable')
  })

  it('gets 405 for an unsupported method, with the supported ones in Allow', async () => {
    const { account, input } = await setUpCase()
    const response = await account.send('PURGE', pathOf(path, input.params))
    expectError(response, 'method_not_allowed')
    expect(response.headers.get('allow')?.split(', ')).toContain(method)
  })

  it('declares the errors that docs/specification.md lists', async () => {
    const { engine } = (await setUpCase()).account
    const declared: readonly string[] = engine.operations.find((operation) => operation.id === id)?.errors ?? []
    const commonErrors = ['unauthorized', 'forbidden', 'method_not_allowed', 'rate_limited', 'service_unavailable']
    expect(errors.filter((code) => !commonErrors.includes(code) && !declared.includes(code))).toEqual([])
  })
}
