import { assert } from '../storage/assert.ts'
import { json, type TransportCases, type TransportStage } from './stage.ts'
import type { LineRequest } from './transport-harness.ts'

const segments = '/api/v2/segments/web/production'
const imports = `${segments}/big/imports`
const exports = `${segments}/big/exports`
const csv = { 'content-type': 'text/csv' }

/** All different and not sorted, so that a missing or repeated key is detected. */
const manyKeys = Array.from({ length: 40_000 }, (_, i) => `user-${String((i * 7_919) % 40_000).padStart(6, '0')}`)

async function makeSegment({ send }: TransportStage): Promise<void> {
  const body = { key: 'big', name: 'Big', unbounded: true }
  assert.equal((await send(json('POST', segments, body))).status, 201)
}

function upload(body: LineRequest['body'], more: Partial<LineRequest> = {}): LineRequest {
  return { method: 'POST', path: imports, headers: csv, body, ...more }
}

async function fileOf({ send }: TransportStage): Promise<string> {
  const { id } = JSON.parse((await send({ method: 'POST', path: exports })).body) as { id: string }
  const answer = await send({ method: 'GET', path: `${exports}/${id}/file` })
  assert.equal(answer.status, 200, answer.body)
  assert.equal(answer.headers['content-type'], 'text/csv')
  const head = await send({ method: 'HEAD', path: `${exports}/${id}/file` })
  assert.deepEqual({ ...head, body: '' }, { ...answer, headers: head.headers, body: '' })
  assert.equal(head.body, '')
  return answer.body
}

function form(boundary: string, parts: Readonly<Record<string, string>>): LineRequest {
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
    'a file is uploaded and downloaded completely, with and without chunks': async (stage) => {
      await makeSegment(stage)
      for (const chunked of [false, true]) {
        const request = upload(manyKeys.join('\n'), { chunked, path: `${imports}?mode=replace` })
        const answer = await stage.send(request)
        assert.equal(answer.status, 201, answer.body)
        const made = JSON.parse(answer.body) as { id: string; keyCount: number }
        assert.equal(made.keyCount, manyKeys.length)
        assert.equal(answer.headers.location, `${imports}/${made.id}`)
        assert.isTrue((await fileOf(stage)) === `key\n${manyKeys.toSorted().join('\n')}\n`, 'the downloaded file equals the uploaded one')
      }
    },

    'characters of several bytes are not split': async (stage) => {
      await makeSegment(stage)
      const keys = ['\u{1f680}\u{1f680}', 'é', 'ü'.repeat(256)]
      assert.equal((await stage.send(upload(keys.join('\n'), { chunked: true }))).status, 201)
      assert.equal(await fileOf(stage), `key\n${keys.toSorted().join('\n')}\n`)
    },

    'a file can be sent in a form, with fields before and after it': async (stage) => {
      await makeSegment(stage)
      await stage.send(upload('old\n'))
      const fields = { waitOnApprovals: 'false', file: 'a\r\nb\r\n', mode: 'replace' }
      for (const chunked of [false, true]) {
        const answer = await stage.send({ ...form('some-boundary', fields), chunked })
        assert.equal(answer.status, 201, answer.body)
        assert.equal((JSON.parse(answer.body) as { mode: string }).mode, 'replace')
      }
      assert.equal(await fileOf(stage), 'key\na\nb\n')
    },

    'an invalid upload is refused with the reason, and none of its keys are stored': async (stage) => {
      await makeSegment(stage)
      const bad: Readonly<Record<string, LineRequest>> = {
        'The request body is incomplete': { ...form('b', { file: 'a\n' }), body: '--b\r\n\r\n' },
        'The Content-Type must name the boundary of the form': upload('a', {
          headers: { 'content-type': 'multipart/form-data' },
        }),
        'A request body must be present': upload(''),
        'validation failed': upload(new Uint8Array([0x61, 0x0a, 0xff])),
      }
      for (const [message, request] of Object.entries(bad)) {
        const error = await stage.refused(request, 400, 'invalid_request')
        if (message !== 'The request body is incomplete') assert.equal(error.message, message)
      }
      for (const type of ['application/json', 'text/plain', 'text/csvx', '']) {
        await stage.refused(
          upload('["a"]', { headers: type === '' ? {} : { 'content-type': type } }),
          415,
          'invalid_request',
        )
      }
      assert.equal(await fileOf(stage), 'key\n')
    },

    'the connection can be used again after a file was refused while it was read': async (stage) => {
      await makeSegment(stage)
      const rows = 'two,fields\n'.repeat(30_000)
      for (const chunked of [false, true]) {
        const { errors = [] } = await stage.refused(upload(rows, { chunked }), 400, 'invalid_request')
        assert.equal(errors.length, 20)
      }
    },

    'an unauthenticated caller is refused before the file is read': async (stage) => {
      await makeSegment(stage)
      const headers = { ...csv, authorization: 'api-nobody-at-all-0001' }
      await stage.refused(upload(manyKeys.join('\n'), { headers }), 401, 'unauthorized')
      await stage.refused(upload(manyKeys.join('\n'), { path: `${segments}/none/imports` }), 404, 'not_found')
    },
  },
}
