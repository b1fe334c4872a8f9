import { expect, it } from 'vitest'
import { type IssuerKey, newKey, sign, startIssuer } from '../../oidc/src/test/local-issuer.ts'
import { halyard } from './halyard-process.ts'

const audience = 'https://flags.example.com'

async function startServer(env: Record<string, string> = {}) {
  const running = halyard(['serve', '--port', '0', '--storage', 'memory'], env)
  const [, url] = await running.printed(/Halyard serves (\S+) /)
  return { running, url: url as string }
}

/** Returns a function that calls the API with a token and requires a status. */
function callerOf(url: string, authorization?: string) {
  return async <Body = Record<string, string>>(status: number, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api/v2${path}`, {
      method,
      headers: {
        ...(authorization ? { authorization } : {}),
        'content-type': 'application/json',
        'svc-api-version': 'beta',
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    expect([path, response.status, text.slice(0, 300)]).toEqual([path, status, expect.anything()])
    return (text === '' ? {} : JSON.parse(text)) as Body
  }
}

interface InvitedMember {
  readonly _id: string
  readonly _pendingInvite: boolean
  readonly _invitation: { readonly href: string; readonly expiresAt: string }
}

it('serve lets a second person accept an invitation, make a token, and approve the change of the first', async () => {
  const { running, url } = await startServer({ HALYARD_INVITATION_DAYS: '2' })
  const [, adminToken] = await running.printed(/shown only now: (api-[0-9a-f]{64})/)
  const admin = callerOf(url, adminToken)
  await admin(201, 'POST', '/projects', { key: 'shop', name: 'Shop' })
  await admin(201, 'POST', '/flags/shop', { key: 'checkout', name: 'Checkout' })
  const settings = { environmentKey: 'production', required: true, canReviewOwnRequest: false }
  await admin(200, 'PATCH', '/approval-requests/projects/shop/settings', settings)

  const body = [{ email: 'bea@example.com', role: 'writer' }]
  const { items } = await admin<{ items: InvitedMember[] }>(201, 'POST', '/members', body)
  const [bea] = items as [InvitedMember]
  expect(bea._pendingInvite).toBe(true)
  expect(Math.round((Number(bea._invitation.expiresAt) - Date.now()) / 86_400_000)).toBe(2)

  const link = new URL(bea._invitation.href, url)
  const page = await fetch(link)
  expect(await page.text()).toContain('Accept the invitation')
  const [memberId, code] = link.hash.slice(1).split('.') as [string, string]
  const accepting = [1, 2, 3].map(() =>
    fetch(`${url}/api/v2/members/${memberId}/invitation/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    }),
  )
  const responses = await Promise.all(accepting)
  const accepted = responses.filter(({ status }) => status === 201)
  expect(accepted).toHaveLength(1)
  const { token: firstToken } = (await (accepted[0] as Response).json()) as { token: string }

  const first = callerOf(url, firstToken)
  const { token } = await first(201, 'POST', '/tokens', { name: 'laptop', role: 'writer' })
  const beaAtWork = callerOf(url, token)
  const flag = '/projects/shop/flags/checkout/environments/production/approval-requests'
  const request = await admin(201, 'POST', flag, {
    description: 'Launch the checkout',
    instructions: [{ kind: 'turnFlagOn' }],
  })
  const requests = `/approval-requests/${request._id}`
  await admin(400, 'POST', `${requests}/reviews`, { kind: 'approve' })
  const reviewed = await beaAtWork<{ allReviews: object[] }>(200, 'POST', `${requests}/reviews`, { kind: 'approve' })
  expect(reviewed).toMatchObject({ reviewStatus: 'approved', allReviews: [{ kind: 'approve', memberId: bea._id }] })
  await admin(200, 'POST', `${requests}/apply`, {})
  const { environments } = await admin<{ environments: object }>(200, 'GET', '/flags/shop/checkout')
  expect(environments).toMatchObject({ production: { on: true } })

  const { items: entries } = await admin<{ items: object[] }>(200, 'GET', '/auditlog?limit=50')
  const byBea = entries.filter((entry) => (entry as { member?: { _id?: string } }).member?._id === bea._id)
  expect(byBea.map((entry) => (entry as { description: string }).description)).toEqual(
    expect.arrayContaining([
      'created the token laptop',
      'accepted the invitation of bea@example.com:\ncreated the token First token',
    ]),
  )
  for (const text of [running.out(), running.err(), JSON.stringify(entries)]) {
    for (const hidden of [code, firstToken, token]) expect(text).not.toContain(hidden)
  }
})

it('serve accepts the JSON Web Tokens of members and CI jobs, and no others', async () => {
  const key: IssuerKey = await newKey('first')
  const issuer = await startIssuer(key)
  const { url, running } = await startServer({
    HALYARD_TOKEN: 'an-administrator-of-tests',
    HALYARD_OIDC_ISSUER: issuer.issuer,
    HALYARD_OIDC_AUDIENCE: audience,
    HALYARD_OIDC_SUBJECTS: 'repo:acme/shop:ref:refs/heads/*, repo:acme/tools:*',
    HALYARD_OIDC_ROLE: 'writer',
  })
  const admin = callerOf(url, 'an-administrator-of-tests')
  await admin(201, 'POST', '/members', [{ email: 'bob@x.io', role: 'reader' }])
  const as = async (claims: object, signer = key) =>
    callerOf(url, `Bearer ${await sign(signer, { iss: issuer.issuer, aud: audience, ...claims })}`)
  const job = { sub: 'repo:acme/shop:ref:refs/heads/main' }
  await (await as(job))(201, 'POST', '/projects', { key: 'shop', name: 'Shop' })
  const bob = await as({ sub: 'u1', email: 'bob@x.io', email_verified: true })
  await bob(200, 'GET', '/projects/shop')
  await bob(403, 'POST', '/projects', { key: 'other', name: 'Other' })
  const refused = [
    await as({ sub: 'repo:acme/shop:pull_request' }),
    await as({ ...job, aud: 'https://other.example' }),
    await as({ ...job, iss: 'https://other.example' }),
    await as({ ...job, exp: Math.floor(Date.now() / 1000) - 60 }),
    await as(job, await newKey('first')),
  ]
  for (const other of refused) await other(401, 'GET', '/projects/shop')
  const { items } = await admin<{ items: object[] }>(200, 'GET', '/auditlog?limit=1')
  expect(items[0]).toMatchObject({ app: { name: job.sub } })
  expect(running.err()).toBe('')
})

it('serve responds with 503 to a JSON Web Token while the issuer does not answer', async () => {
  const key = await newKey('first')
  const issuer = await startIssuer(key)
  const policy = JSON.stringify([{ effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] }])
  const { url } = await startServer({
    HALYARD_TOKEN: 'an-administrator-of-tests',
    HALYARD_OIDC_ISSUER: issuer.issuer,
    HALYARD_OIDC_AUDIENCE: audience,
    HALYARD_OIDC_SUBJECTS: 'job',
    HALYARD_OIDC_POLICY: policy,
  })
  issuer.fail(/./)
  const job = callerOf(url, await sign(key, { iss: issuer.issuer, aud: audience, sub: 'job' }))
  await job(503, 'GET', '/projects')
  await callerOf(url, 'an-administrator-of-tests')(200, 'GET', '/projects')
  issuer.fail(/^$/)
  await job(200, 'GET', '/projects')
  await job(403, 'POST', '/projects', { key: 'a', name: 'A' })
})

it.each([
  [['--oidc-issuer', 'http://issuer.example', '--oidc-audience', 'a'], /--oidc-issuer: must be an https URL/],
  [['--oidc-issuer', 'https://issuer.example'], /--oidc-audience must be present/],
])('an invalid option ends the command with one line: serve %j', async (args, line) => {
  const running = halyard(['serve', '--port', '0', '--storage', 'memory', ...args])
  expect(await running.ended).toBe(1)
  expect(running.err().trim().split('\n')).toHaveLength(1)
  expect(running.err()).toMatch(line)
})
