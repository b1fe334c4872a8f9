import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { failureOf } from '../account/test/calls.ts'
import { openReceiver } from './test/receiver.ts'
import { attemptsOf, bodies, engineWithSender, patch, replaceOperation, webhookTo } from './test/webhook-calls.ts'

/** A name that is a mention, a link and a style in at least one of the receivers. */
const name = '<!channel> @everyone [pay](https://evil.test) *x* <@U1> & ~y~'

const secret = 'a-secret-that-is-long-enough'

describe('a webhook with a format', async () => {
  const engine = await engineWithSender()
  const as = engine.admin
  beforeAll(async () => {
    await engine.given.project('web')
  })

  let flags = 0

  /**
   * Creates a webhook, changes a flag of this name with a comment, and returns the requests that the webhook received.
   */
  async function received(format: string | undefined, query = '') {
    const receiver = await openReceiver()
    const url = receiver.url + query
    const statements = [{ effect: 'allow', resources: ['proj/*:env/*:flag/*'], actions: ['*'] }]
    const id = await webhookTo(engine, { url }, { secret, statements, ...(format ? { format } : {}) })
    const flagKey = `flag-${++flags}`
    await engine.given.flag('web', flagKey)
    const comment = 'see <https://x.test|here>\n# now'
    const body = { comment, patch: replaceOperation('/name', name) } as never
    await engine.api.patchFlag({ projectKey: 'web', flagKey, body }, { as })
    await engine.runDueTasks()
    const request = receiver.received.at(-1) as (typeof receiver.received)[0]
    const resources = [`proj/web:env/*:flag/${flagKey}`]
    await patch(engine, id, '/on', false)
    return { id, request, message: JSON.parse(request.body), key: flagKey, resources, receiver }
  }

  it('sends Slack a text in which names mention no one and hide no link', async () => {
    const { message, key } = await received('slack')
    expect(message).toEqual({
      text:
        `owner@localhost renamed ${key} to &lt;!channel&gt; @everyone [pay](https://evil…\n` +
        'Comment: see &lt;https://x.test|here&gt; # now',
      mrkdwn: false,
      parse: 'none',
      unfurl_links: false,
      unfurl_media: false,
    })
  })

  it('sends Microsoft Teams blocks of plain text', async () => {
    const { message, key } = await received('teams')
    const line = (text: string) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] })
    expect(message).toEqual({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.5',
            body: [
              line(`owner@localhost renamed ${key} to <!channel> @everyone [pay](https://evil…`),
              line('Comment: see <https://x.test|here> # now'),
            ],
          },
        },
      ],
    })
  })

  it('sends Discord a message that mentions no one and has no Markdown', async () => {
    const { message, key } = await received('discord')
    const escapedKey = key.replaceAll('-', '\\-')
    expect(message).toEqual({
      content:
        `owner\\@localhost renamed ${escapedKey} to \\<\\!channel\\> \\@everyone \\[pay\\]\\(https\\:\\/\\/evil…\n` +
        'Comment\\: see \\<https\\:\\/\\/x\\.test\\|here\\> \\# now',
      allowed_mentions: { parse: [] },
      flags: 4,
    })
  })

  it('sends PagerDuty a change event, with the integration key of the URL', async () => {
    const { request, message, key, resources } = await received('pagerduty', '?a=b&routing_key=R0UT1NG')
    expect(request.path).toBe('/hook?a=b')
    expect(message).toEqual({
      routing_key: 'R0UT1NG',
      payload: {
        summary: `owner@localhost renamed ${key} to <!channel> @everyone [pay](https://evil…`,
        timestamp: '2026-01-01T00:00:00.000Z',
        source: 'halyard',
        custom_details: { kind: 'flag', resources, comment: 'see <https://x.test|here> # now' },
      },
    })
  })

  it('signs the formatted message, and shows it in its deliveries', async () => {
    const { id, request } = await received('slack')
    const { headers, body } = request
    expect(headers['x-svc-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'))
    const [attempt] = await attemptsOf(engine, id)
    const deliveryId = attempt?.deliveryId as string
    expect((await engine.api.getWebhookDelivery({ id, deliveryId }, { as })).body).toBe(body)
  })

  it('sends its test message in the format', async () => {
    const receiver = await openReceiver()
    const id = await webhookTo(engine, receiver, { name: 'Chat', format: 'slack', statements: [] })
    await engine.api.testWebhook({ id }, { as })
    await engine.runDueTasks()
    expect(bodies(receiver).map(({ text }) => text)).toContain('The engine tested the webhook Chat')
    await patch(engine, id, '/on', false)
  })

  it('sends plain entries of the change log after the format is removed', async () => {
    const { id, receiver } = await received('slack')
    const removal = [
      { op: 'remove', path: '/format' },
      { op: 'replace', path: '/on', value: true },
    ] as never
    const changed = await engine.api.patchWebhook({ id, body: removal }, { as })
    expect(changed).not.toHaveProperty('format')
    await engine.given.flag('web', 'after-removal')
    await engine.runDueTasks()
    const [slack, entry] = bodies(receiver).slice(-2)
    expect(Object.keys(slack)).toContain('mrkdwn')
    expect(entry).toMatchObject({ kind: 'flag', name: 'after-removal', delta: expect.any(Array) })
    await patch(engine, id, '/on', false)
    expect((await received(undefined)).message).toMatchObject({ kind: 'flag', delta: expect.any(Array) })
  })
})

describe('the format of a webhook', async () => {
  const engine = await engineWithSender()
  const url = 'https://events.example.com/v2/change/enqueue'
  const needsKey = { attribute: 'url', reason: expect.stringContaining('query parameter routing_key') }

  it('must be a known format', async () => {
    const failure = await failureOf(webhookTo(engine, { url }, { format: 'irc' }))
    const reason = 'must be one of: slack, teams, discord, pagerduty'
    expect(failure).toMatchObject({ code: 'invalid_request', errors: [{ attribute: 'format', reason }] })
  })

  it('pagerduty requires an integration key in the URL, whether the format or the URL is changed', async () => {
    const invalid = { code: 'invalid_request', errors: [needsKey] }
    expect(await failureOf(webhookTo(engine, { url }, { format: 'pagerduty' }))).toMatchObject(invalid)
    const id = await webhookTo(engine, { url }, { format: 'teams' })
    expect(await failureOf(patch(engine, id, '/format', 'pagerduty'))).toMatchObject(invalid)
    await patch(engine, id, '/url', `${url}?routing_key=R0UT1NG`)
    expect(await patch(engine, id, '/format', 'pagerduty')).toMatchObject({ format: 'pagerduty' })
    expect(await failureOf(patch(engine, id, '/url', `${url}?routing_key=`))).toMatchObject(invalid)
  })

  it('is changed with the right to change the URL, and the change log names it', async () => {
    const id = await webhookTo(engine, { url }, { name: 'Chat', format: 'teams' })
    const body = replaceOperation('/format', 'slack')
    const calledBy = (action: string) => ({
      policy: [{ effect: 'allow', resources: ['webhook/*'], actions: ['viewWebhook', action] }] as const,
    })
    const refused = failureOf(engine.api.patchWebhook({ id, body }, { as: calledBy('updateName') }))
    expect(await refused).toMatchObject({ code: 'forbidden' })
    await engine.api.patchWebhook({ id, body }, { as: calledBy('updateUrl') })
    const [entry] = (await engine.api.listChangeLog({ limit: 1 }, { as: engine.admin })).items
    expect(entry?.titleVerb).toBe('changed the format of Chat from teams to slack')
  })
})
