import { EventEmitter } from 'node:events'
import { GrowthBookClient } from '@growthbook/growthbook'
import type { LDContext } from '@launchdarkly/node-server-sdk'
import { FlagdCore } from '@openfeature/flagd-core'
import { Unleash } from 'unleash-client'
import { offlineSdk } from '../test/setup/reference-sdk.ts'
import { betaTesters, contexts, flag, type Person, people, segment } from './evaluation-fixture.ts'

/** An evaluator of the flag of the fixture: returns the value for the person at an index. */
export interface EvaluationPeer {
  readonly name: string
  evaluate(personIndex: number): string | Promise<string>
  close(): void | Promise<void>
}

/** The reference SDK, whose rules Halyard follows, including the rollout. */
export async function referenceSdk(): Promise<EvaluationPeer> {
  const { client, data } = await offlineSdk()
  await data.usePreconfiguredSegment(segment)
  await data.usePreconfiguredFlag(flag('f'))
  return {
    name: '@launchdarkly/node-server-sdk',
    evaluate: (personIndex) => client.variation('f', contexts[personIndex] as unknown as LDContext, 'none'),
    close: () => client.close(),
  }
}

export function growthBook(): EvaluationPeer {
  const client = new GrowthBookClient().initSync({
    payload: {
      features: {
        f: {
          defaultValue: 'blue',
          rules: [
            { condition: { country: { $in: ['de', 'fr', 'it'] } }, force: 'green' },
            { condition: { email: { $regex: '@example\\.com$' } }, force: 'green' },
            { condition: { plan: 'enterprise' }, force: 'red' },
            { condition: { age: { $lt: 18 } }, force: 'red' },
            { condition: { id: { $inGroup: 'beta' } }, force: 'blue' },
            { key: 'f', hashAttribute: 'id', variations: ['blue', 'red'], weights: [0.3, 0.7] },
          ],
        },
      },
      savedGroups: { beta: betaTesters },
    },
  })
  const users = people.map(({ key, ...rest }) => ({ attributes: { ...rest, id: key } }))
  return {
    name: '@growthbook/growthbook',
    evaluate: (personIndex) => client.evalFeature('f', users[personIndex] as never).value as string,
    close() {},
  }
}

export function flagd(): EvaluationPeer {
  const core = new FlagdCore()
  const rollout = { fractional: [{ var: 'key' }, ['blue', 30], ['red', 70]] }
  const targeting = {
    if: [
      { in: [{ var: 'country' }, ['de', 'fr', 'it']] },
      'green',
      { ends_with: [{ var: 'email' }, '@example.com'] },
      'green',
      { '===': [{ var: 'plan' }, 'enterprise'] },
      'red',
      { '<': [{ var: 'age' }, 18] },
      'red',
      { in: [{ var: 'key' }, betaTesters] },
      'blue',
      rollout,
    ],
  }
  const variants = { blue: 'blue', red: 'red', green: 'green' }
  const flags = { f: { state: 'ENABLED', variants, defaultVariant: 'blue', targeting } }
  core.setConfigurations(JSON.stringify({ flags }))
  return {
    name: '@openfeature/flagd-core',
    evaluate: (personIndex) => core.resolveStringEvaluation('f', 'none', people[personIndex] as never).value,
    close() {},
  }
}

/** The client without its repository, which would fetch toggles. */
export function unleash(): EvaluationPeer {
  const constraint = (contextName: string, operator: string, overrides: object) => ({
    contextName,
    operator,
    inverted: false,
    values: [],
    ...overrides,
  })
  const variant = (name: string, weight = 1000) => ({ name, weight, stickiness: 'default' })
  const strategy = (constraints: object[], variants: object[], segments: number[] = []) => ({
    name: 'flexibleRollout',
    parameters: { rollout: '100', stickiness: 'default', groupId: 'f' },
    constraints,
    segments,
    variants,
  })
  const toggle = {
    name: 'f',
    enabled: true,
    type: 'release',
    project: 'default',
    stale: false,
    impressionData: false,
    variants: [],
    strategies: [
      strategy([constraint('country', 'IN', { values: ['de', 'fr', 'it'] })], [variant('green')]),
      strategy([constraint('email', 'STR_ENDS_WITH', { values: ['@example.com'] })], [variant('green')]),
      strategy([constraint('plan', 'IN', { values: ['enterprise'] })], [variant('red')]),
      strategy([constraint('age', 'NUM_LT', { value: '18' })], [variant('red')]),
      strategy([], [variant('blue')], [1]),
      strategy([], [variant('blue', 300), variant('red', 700)]),
    ],
  }
  const beta = { id: 1, constraints: [constraint('userId', 'IN', { values: betaTesters })] }
  const repository = repositoryOf(toggle, beta)
  const client = new Unleash({
    // No server listens at this address. The client sends nothing to it, because only its own repository would send
    // requests.
    url: 'http://127.0.0.1:1/',
    appName: 'bench',
    disableMetrics: true,
    disableAutoStart: true,
    skipInstanceCountWarning: true,
    repository: repository as never,
  })
  repository.emit('ready')
  const users = people.map(({ key, country, email, plan, age }) => ({
    userId: key,
    properties: { country, email, plan, age: String(age) },
  }))
  return {
    name: 'unleash-client',
    evaluate: (personIndex) => client.getVariant('f', users[personIndex] as never).name,
    close: () => client.destroy(),
  }
}

function repositoryOf(toggle: object, segment: object) {
  return Object.assign(new EventEmitter(), {
    getToggle: () => toggle,
    getToggles: () => [toggle],
    getSegment: () => segment,
    start: async () => {},
    stop() {},
  })
}

/** The lower bound for all engines: the same rules as hand-written code for this flag, with a hash of three lines. */
export function handWritten(): EvaluationPeer {
  const countries = new Set(['de', 'fr', 'it'])
  const testers = new Set(betaTesters)
  const evaluateByHand = ({ key, country, email, plan, age }: Person) => {
    if (countries.has(country) || email.endsWith('@example.com')) return 'green'
    if (plan === 'enterprise' || age < 18) return 'red'
    if (testers.has(key)) return 'blue'
    let hash = 0x811c9dc5
    for (let personIndex = 0; personIndex < key.length; personIndex++)
      hash = Math.imul(hash ^ key.charCodeAt(personIndex), 0x01000193)
    return (hash >>> 0) / 2 ** 32 < 0.3 ? 'blue' : 'red'
  }
  return {
    name: 'hand-written for this flag',
    evaluate: (personIndex) => evaluateByHand(people[personIndex] as Person),
    close() {},
  }
}
