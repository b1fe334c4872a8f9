import { assert } from '../storage/assert.ts'
import { attributesOf, sendCounted } from './counted-commits.ts'
import { defineCase, defineUnchangingCase, type OperationCase } from './operation-case.ts'
import { requestOf } from './operation-fixture.ts'
import { assertSuccess } from './success.ts'

/** Rules for operations that only read. */
export const readingOperation: Readonly<Record<string, OperationCase>> = {
  'ignores unknown query parameters': defineUnchangingCase([], async (fixture, operation) => {
    const example = await fixture.exampleOf(operation)
    const query = { ...example.query, unknown: 'x', __proto__x: '1' }
    assertSuccess(operation, await fixture.send(requestOf(operation, { ...example, query })))
  }),
}

/** Rules for operations that change something. */
export const writingOperation: Readonly<Record<string, OperationCase>> = {
  'refuses unknown query parameters, and writes nothing': defineUnchangingCase([], async (fixture, operation) => {
    const example = await fixture.exampleOf(operation)
    const query = { ...example.query, drRun: 'true', __proto__x: '1' }
    const { response, commits } = await sendCounted(fixture, operation, { ...example, query })
    assert.deepEqual(attributesOf(response), ['drRun', '__proto__x'], response.body)
    assert.equal(commits, 0)
  }),

  'writes nothing with dryRun': defineCase([], async (fixture, operation) => {
    const example = await fixture.exampleOf(operation)
    const query = { ...example.query, dryRun: 'true' }
    const { response, commits } = await sendCounted(fixture, operation, { ...example, query })
    if (operation.body?.kind === 'upload') assert.deepEqual(attributesOf(response), ['dryRun'], response.body)
    else assertSuccess(operation, response)
    assert.equal(commits, 0)
    assertSuccess(operation, await fixture.send(requestOf(operation, example)))
  }),

  'refuses a dryRun that is not a boolean': defineUnchangingCase([], async (fixture, operation) => {
    const example = await fixture.exampleOf(operation)
    for (const dryRun of ['', 'yes', '1']) {
      const response = await fixture.send(requestOf(operation, { ...example, query: { ...example.query, dryRun } }))
      assert.deepEqual(attributesOf(response), ['dryRun'], response.body)
    }
  }),
}
