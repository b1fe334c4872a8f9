import { expect, it } from 'vitest'
import { readServeOptions } from './serve-options.ts'

const issuer = ['--oidc-issuer', 'https://issuer.example', '--oidc-audience', 'a, b']
const policy = [{ effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] }]

it('the options for JSON Web Tokens are read from arguments and from the environment', () => {
  expect(readServeOptions([], {}).oidc).toBeUndefined()
  const common = { issuer: 'https://issuer.example', audience: ['a', 'b'], claims: { member: 'email' } }
  expect(readServeOptions(issuer, {}).oidc).toEqual({ ...common, services: [] })
  const env = {
    HALYARD_OIDC_ISSUER: 'https://issuer.example',
    HALYARD_OIDC_AUDIENCE: 'a,b',
    HALYARD_OIDC_MEMBER_CLAIM: 'oid',
    HALYARD_OIDC_SUBJECTS: 'job, repo:acme/*',
    HALYARD_OIDC_POLICY: JSON.stringify(policy),
  }
  const services = ['job', 'repo:acme/*'].map((subject) => ({ subject, inlinePolicy: policy }))
  expect(readServeOptions([], env).oidc).toEqual({ ...common, claims: { member: 'oid' }, services })
})

it('the OIDC client is configured by --oidc-client-id and --oidc-client-secret when its id is an accepted audience', () => {
  expect(readServeOptions(issuer, {}).oidcClient).toBeUndefined()
  const client = { issuer: 'https://issuer.example', clientId: 'a', clientSecret: 's' }
  const args = [...issuer, '--oidc-client-id', 'a', '--oidc-client-secret', 's']
  expect(readServeOptions(args, {}).oidcClient).toEqual(client)
})

it.each([
  [['--oidc-issuer', 'https://issuer.example'], /^--oidc-audience must be present/],
  [['--oidc-audience', 'a'], /^--oidc-issuer must be present/],
  [['--oidc-subjects', 'a', '--oidc-role', 'reader'], /^--oidc-issuer must be present/],
  [['--oidc-client-id', 'a'], /^--oidc-issuer must be present/],
  [[...issuer, '--oidc-client-secret', 's'], /^--oidc-client-id must be present/],
  [[...issuer, '--oidc-client-id', 'c'], /^--oidc-audience must contain the value of --oidc-client-id/],
  [[...issuer, '--oidc-role', 'writer'], /^--oidc-subjects must be present/],
  [[...issuer, '--oidc-subjects', 'a'], /^--oidc-subjects must come with --oidc-role or --oidc-policy/],
  [[...issuer, '--oidc-subjects', 'a', '--oidc-role', 'king'], /^--oidc-role must be one of reader, writer/],
  [[...issuer, '--oidc-subjects', 'a', '--oidc-policy', 'x'], /^--oidc-policy must be JSON/],
  [[...issuer, '--oidc-subjects', 'a', '--oidc-policy', '[{}]'], /^--oidc-policy: /],
  [[...issuer, '--oidc-subjects', 'a', '--oidc-policy', '7'], /^--oidc-policy: /],
  [['--invitation-days', '0'], /^--invitation-days must be a number from 1 to 9999/],
])('the options %j are refused', (args, message) => {
  expect(() => readServeOptions(args, {})).toThrow(message)
})
