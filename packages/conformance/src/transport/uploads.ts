import { assert } from '../storage/assert.ts'
import { json, type TransportCaseContext, type TransportCases } from './transport-case.ts'
import type { TransportRequest } from './transport-harness.ts'

const segments = '/api/v2/segments/web/production'
const imports = `${segments}/big/imports`
const exports = `${segments}/big/exports`
const csv = { 'content-type': 'text/csv' }

/** The keys are all different and not sorted, so that a missing or repeated key is detected. */
const manyKeys = Array.from({ length: 40_000 }, (_, i) => `user-${String((i * 7_919) % 40_000).padStart(6, '0')}`)

async function createBigSegment({ send }: TransportCaseContext): Promise<void> {
  const body = { key: 'big', name: 'Big', unbounded: true }
  assert.equal((await send(json('POST', segments, body))).status, 201)
}

function upload(body: TransportRequest['body'], overrides: Partial<TransportRequest> = {}): TransportRequest {
  return { method: 'POST', path: imports, headers: csv, body, ...overrides }
}

async function exportKeys({ send }: TransportCaseContext): Promise<string> {
  const { id } = JSON.parse((await send({ method: 'POST', path: exports })).body) as { id: string }
  const response = await send({ method: 'GET', path: `${exports}/${id}/file` })
  assert.equal(response.status, 200, response.body)
  assert.equal(response.headers['content-type'], 'text/csv')
  const head = await send({ method: 'HEAD', path: `${exports}/${id}/file` })
  assert.deepEqual({ ...head, body: '' }, { ...response, headers: head.headers, body: '' })
  assert.equal(head.body, '')
  return response.body
}

function form(boundary: string, parts: Readonly<Record<string, string>>): TransportRequest {
  const texts = Object.entries(parts).map(([name, value]) => {
    const filename = name === 'file' ? '; filename="keys.csv"' : ''
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${value}\r\n`
  })
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  return upload(`${texts.join('')}--${boundary}--\r\n`, { headers })
}

export const uploadCases: TransportCases = {
  group: 'uploads',
  cases: {
    'a file is uploaded and downloaded completely, with and without chunks': async (context) => {
      await createBigSegment(context)
      for (const chunked of [false, true]) {
        const request = upload(manyKeys.join('\n'), { chunked, path: `${imports}?mode=replace` })
        const response = await context.send(request)
        assert.equal(response.status, 201, response.body)
        const created = JSON.parse(response.body) as { id: string; keyCount: number }
        assert.equal(created.keyCount, manyKeys.length)
        assert.equal(response.headers.location, `${context.mountPath}${imports}/${created.id}`)
        assert.isTrue(
          (await exportKeys(context)) === `key\n${manyKeys.toSorted().join('\n')}\n`,
          'the downloaded file equals the uploaded one',
        )
      }
    },

    'characters of several bytes are not split': async (context) => {
      await createBigSegment(context)
      const keys = ['\u{1f680}\u{1f680}', 'é', 'ü'.repeat(256)]
      assert.equal((await context.send(upload(keys.join('\n'), { chunked: true }))).status, 201)
      assert.equal(await exportKeys(context), `key\n${keys.toSorted().join('\n')}\n`)
    },

    'a file can be sent in a form, with fields before and after it': async (context) => {
      await createBigSegment(context)
      await context.send(upload('old\n'))
      const fields = { waitOnApprovals: 'false', file: 'a\r\nb\r\n', mode: 'replace' }
      for (const chunked of [false, true]) {
        const response = await context.send({ ...form('some-boundary', fields), chunked })
        assert.equal(response.status, 201, response.body)
        assert.equal((JSON.parse(response.body) as { mode: string }).mode, 'replace')
      }
      assert.equal(await exportKeys(context), 'key\na\nb\n')
    },

    'an invalid upload is refused with the reason, and none of its keys are stored': async (context) => {
      await createBigSegment(context)
      const invalidRequests: Readonly<Record<string, TransportRequest>> = {
        'The request body is incomplete': { ...form('b', { file: 'a\n' }), body: '--b\r\n\r\n' },
        'The Content-Type must name the boundary of the form': upload('a', {
          headers: { 'content-type': 'multipart/form-data' },
        }),
        'A request body must be present': upload(''),
        'validation failed': upload(new Uint8Array([0x61, 0x0a, 0xff])),
      }
      for (const [message, request] of Object.entries(invalidRequests)) {
        const error = await context.expectError(request, 400, 'invalid_request')
        if (message !== 'The request body is incomplete') assert.equal(error.message, message)
      }
      for (const type of ['application/json', 'text/plain', 'text/csvx', '']) {
        await context.expectError(
          upload('["a"]', { headers: type === '' ? {} : { 'content-type': type } }),
          415,
          'invalid_request',
        )
      }
      assert.equal(await exportKeys(context), 'key\n')
    },

    'the connection can be used again after a file was refused while it was read': async (context) => {
      await createBigSegment(context)
      const rows = 'two,fields\n'.repeat(30_000)
      for (const chunked of [false, true]) {
        const { errors = [] } = await context.expectError(upload(rows, { chunked }), 400, 'invalid_request')
        assert.equal(errors.length, 20)
      }
    },

    'an unauthenticated caller is refused before the file is read': async (context) => {
      await createBigSegment(context)
      const headers = { ...csv, authorization: 'api-nobody-at-all-0001' }
      await context.expectError(upload(manyKeys.join('\n'), { headers }), 401, 'unauthorized')
      await context.expectError(upload(manyKeys.join('\n'), { path: `${segments}/none/imports` }), 404, 'not_found')
    },
  },
}
