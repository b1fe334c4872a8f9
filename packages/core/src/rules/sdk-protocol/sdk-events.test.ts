import { describe, expect, it } from 'vitest'
import { parseSdkEvents } from './sdk-events.ts'

const now = Date.UTC(2026, 10, 2)
const contextKeys = { user: 'ann' }

describe('parseSdkEvents', () => {
  it('parses custom events, whose value is a finite number', () => {
    const event = { kind: 'custom', key: 'buy', creationDate: now - 1, contextKeys, metricValue: 2.5, data: { sku: 1 } }
    const parsed = { kind: 'custom', key: 'buy', at: now - 1, contextKeys, value: 2.5, data: { sku: 1 } }
    expect(parseSdkEvents([event], now)).toEqual([parsed])
    expect(parseSdkEvents(event, now)).toEqual([parsed])
    expect(parseSdkEvents({ ...event, metricValue: '2.5' }, now)).toEqual([{ ...parsed, value: undefined }])
  })

  it.each([
    [1e100, 1e100],
    [-1e100, -1e100],
    [1.1e100, undefined],
    [-1e308, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [Number.NaN, undefined],
  ])('parses the value %d of a custom event as %d, so that its square can be added up', (metricValue, value) => {
    const event = { kind: 'custom', key: 'buy', creationDate: now, contextKeys, metricValue }
    expect(parseSdkEvents(event, now)).toMatchObject([{ key: 'buy', value }])
  })

  it('parses evaluations of flags that the SDK knew', () => {
    const event = { kind: 'feature', key: 'f', creationDate: now, version: 3, variation: 1, value: true, contextKeys }
    const parsed = { kind: 'feature', flagKey: 'f', at: now, version: 3, variation: 1, value: true, contextKeys }
    expect(parseSdkEvents([event, { ...event, kind: 'debug' }, { ...event, version: undefined }], now)).toEqual([
      parsed,
      { ...parsed, kind: 'debug' },
    ])
  })

  it.each([
    [{ contextKeys: { user: 'ann', device: 'd', odd: 1 } }, { user: 'ann', device: 'd' }],
    [{ context: { kind: 'user', key: 'ann', name: 'Ann' } }, { user: 'ann' }],
    [{ context: { kind: 'multi', user: { key: 'ann' }, device: { key: 'd' } } }, { user: 'ann', device: 'd' }],
    [{ userKey: 'ann' }, { user: 'ann' }],
    [{ user: { key: 'ann' } }, { user: 'ann' }],
    [{ context: { kind: 'user' } }, {}],
    [{}, {}],
  ])('reads the keys of contexts in each form that SDKs send: %j', (form, keys) => {
    expect(parseSdkEvents({ kind: 'custom', key: 'buy', ...form }, now)).toMatchObject([{ contextKeys: keys }])
  })

  it('parses contexts', () => {
    const context = { kind: 'user', key: 'ann', plan: 'pro' }
    for (const kind of ['index', 'identify']) {
      const events = [{ kind, context, creationDate: now }, { kind }, { kind, context: { kind: 'user' } }]
      expect(parseSdkEvents(events, now)).toEqual([{ kind, at: now, contextKeys, context }])
    }
  })

  it.each(['click', 'pageview'])('reads a %s as an event with the key of its metric', (kind) => {
    const event = { kind, key: 'goal', url: 'https://shop.example', contextKeys: { user: 'ann' }, creationDate: now }
    expect(parseSdkEvents(event, now)).toEqual([
      { kind: 'custom', at: now, key: 'goal', value: undefined, data: undefined, contextKeys: { user: 'ann' } },
    ])
  })

  it.each([
    [{ kind: 'FALLTHROUGH', inExperiment: true }, 'fallthrough'],
    [{ kind: 'RULE_MATCH', ruleIndex: 0, ruleId: 'r1', inExperiment: true }, 'r1'],
    [{ kind: 'RULE_MATCH', ruleIndex: 0, ruleId: 'r1' }, undefined],
    [{ kind: 'RULE_MATCH', inExperiment: true }, undefined],
    [undefined, undefined],
  ])('reads the rule of an experiment from the reason %j', (reason, place) => {
    const event = { kind: 'feature', key: 'f', version: 1, variation: 0, contextKeys: { user: 'ann' }, reason }
    const places = parseSdkEvents(event, now).map((parsed) =>
      'experimentPlace' in parsed ? parsed.experimentPlace : undefined,
    )
    expect(places).toEqual([place])
  })

  it('ignores events of other kinds and events without a valid key', () => {
    const keys = ['', 'k'.repeat(1001), 1, null, undefined]
    const events = [
      ...keys.map((key) => ({ kind: 'custom', key })),
      { kind: 'migration_op', key: 'k' },
      { key: 'k' },
      null,
      'x',
    ]
    expect(parseSdkEvents(events, now)).toEqual([])
    expect(parseSdkEvents({ kind: 'custom', key: 'k'.repeat(1000) }, now)).toHaveLength(1)
  })
})
