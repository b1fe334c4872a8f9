import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parse } from '../../operation/schema.ts'
import { deploymentEventRequest, deploymentEventsRequest } from './deployment-event-wire.ts'

const place = { projectKey: 'web', environmentKey: 'production' }

const member = <T>(good: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 6, arbitrary: good as fc.Arbitrary<unknown> },
    fc.constantFrom(null, '', -1, 1.5, 'a b', 9e15, [], {}),
  )

// Mostly events with only plain properties, and events with all other valid and invalid properties.
const event = fc.record(
  {
    applicationKey: member(fc.constantFrom('api', 'A.b_c-1', 'k'.repeat(256))),
    version: member(fc.constantFrom('1.0.0', '-', 'v'.repeat(256))),
    eventType: member(fc.constantFrom('started', 'failed', 'finished', 'custom')),
    eventTime: member(fc.constantFrom(0, 1_700_000_000_000, '1700000000000')),
    applicationName: member(fc.constant('The API')),
    deploymentMetadata: member(fc.constant({ by: 'Ada' })),
    pullRequestIds: member(fc.constant(['42'])),
    colour: fc.constant('red'),
  },
  { requiredKeys: ['applicationKey', 'version', 'eventType'] },
)
const anything = fc.oneof({ weight: 9, arbitrary: event }, fc.constantFrom(null, 'started', [], {}, ['api']))

it('parses an event of a batch like a single event, with the same validation errors', () => {
  fc.assert(
    fc.property(event, (one) => {
      const single = parse(deploymentEventRequest, { ...place, ...one })
      const many = parse(deploymentEventsRequest, { ...place, events: [one] })
      const faults = single.ok ? [] : single.faults
      const within = faults.map(({ attribute, reason }) => ({ attribute: `events.0.${attribute}`, reason }))
      if (many.ok) expect({ ...place, ...many.value.events[0] }).toEqual(single.ok ? single.value : 'refused')
      else expect(many.faults).toEqual(within)
    }),
  )
})

it('reports the index of each invalid event of a batch', () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 5 }), (events) => {
      const many = parse(deploymentEventsRequest, { ...place, events })
      const refused = new Set(many.ok ? [] : many.faults.map(({ attribute }) => attribute.split('.')[1]))
      const wrong = events.flatMap((one, i) =>
        parse(deploymentEventsRequest, { ...place, events: [one] }).ok ? [] : `${i}`,
      )
      expect([...refused].sort()).toEqual(wrong.sort())
    }),
  )
})

it('copies events, so that later changes by the caller have no effect', () => {
  const told = { applicationKey: 'api', version: '1', eventType: 'started', eventTime: 5 }
  const read = parse(deploymentEventsRequest, { ...place, events: [told] })
  told.version = '2'
  expect(read.ok && read.value.events).toEqual([
    { applicationKey: 'api', version: '1', eventType: 'started', eventTime: 5 },
  ])
})
