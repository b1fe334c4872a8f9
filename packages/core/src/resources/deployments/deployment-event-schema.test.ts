import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parse } from '../../operation/schema.ts'
import { deploymentEventRequest, deploymentEventsRequest } from './deployment-event-schema.ts'

const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

const propertyArbitrary = <T>(valid: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 6, arbitrary: valid as fc.Arbitrary<unknown> },
    fc.constantFrom(null, '', -1, 1.5, 'a b', 9e15, [], {}),
  )

// Mostly events with only plain properties, and events with all other valid and invalid properties.
const event = fc.record(
  {
    applicationKey: propertyArbitrary(fc.constantFrom('api', 'A.b_c-1', 'k'.repeat(256))),
    version: propertyArbitrary(fc.constantFrom('1.0.0', '-', 'v'.repeat(256))),
    eventType: propertyArbitrary(fc.constantFrom('started', 'failed', 'finished', 'custom')),
    eventTime: propertyArbitrary(fc.constantFrom(0, 1_700_000_000_000, '1700000000000')),
    applicationName: propertyArbitrary(fc.constant('The API')),
    deploymentMetadata: propertyArbitrary(fc.constant({ by: 'Ada' })),
    pullRequestIds: propertyArbitrary(fc.constant(['42'])),
    colour: fc.constant('red'),
  },
  { requiredKeys: ['applicationKey', 'version', 'eventType'] },
)
const anything = fc.oneof({ weight: 9, arbitrary: event }, fc.constantFrom(null, 'started', [], {}, ['api']))

it('the schema of deployment events parses an event of a batch like a single event, with the same validation errors', () => {
  fc.assert(
    fc.property(event, (event) => {
      const single = parse(deploymentEventRequest, { ...environmentKeys, ...event })
      const batch = parse(deploymentEventsRequest, { ...environmentKeys, events: [event] })
      const validationErrors = single.ok ? [] : single.errors
      const expectedErrors = validationErrors.map(({ attribute, reason }) => ({
        attribute: `events.0.${attribute}`,
        reason,
      }))
      if (batch.ok)
        expect({ ...environmentKeys, ...batch.value.events[0] }).toEqual(single.ok ? single.value : 'refused')
      else expect(batch.errors).toEqual(expectedErrors)
    }),
  )
})

it('the schema of deployment events reports the index of each invalid event of a batch', () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 5 }), (events) => {
      const batch = parse(deploymentEventsRequest, { ...environmentKeys, events })
      const rejectedIndexes = new Set(batch.ok ? [] : batch.errors.map(({ attribute }) => attribute.split('.')[1]))
      const invalidIndexes = events.flatMap((event, i) =>
        parse(deploymentEventsRequest, { ...environmentKeys, events: [event] }).ok ? [] : `${i}`,
      )
      expect([...rejectedIndexes].sort()).toEqual(invalidIndexes.sort())
    }),
  )
})

it('the schema of deployment events copies events, so that later changes by the caller have no effect', () => {
  const input = { applicationKey: 'api', version: '1', eventType: 'started', eventTime: 5 }
  const parsed = parse(deploymentEventsRequest, { ...environmentKeys, events: [input] })
  input.version = '2'
  expect(parsed.ok && parsed.value.events).toEqual([
    { applicationKey: 'api', version: '1', eventType: 'started', eventTime: 5 },
  ])
})
