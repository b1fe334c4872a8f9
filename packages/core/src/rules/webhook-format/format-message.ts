import { parseHttpUrl } from '../http-url.ts'
import { shortName } from '../sentences/sentence.ts'

/** Formats of webhook messages. A webhook without a format sends the entry of the change log. */
export const webhookFormats = ['slack', 'teams', 'discord', 'pagerduty'] as const

export type WebhookFormat = (typeof webhookFormats)[number]

/** The parts of an entry of the change log that a formatted message contains. Names in it can be any text. */
export interface MessageContent {
  /** The changes in one line, with the actor. */
  readonly title: string
  readonly comment?: string | undefined
  /** Names of the followers of the changed flag. Default: no names. */
  readonly followers?: readonly string[]
  readonly kind: string
  /** Addresses of the changed resources. */
  readonly resources: readonly string[]
  /** Time of the change, integer ms, UTC. */
  readonly at: number
}

/** The URL and the body of a request to a receiver. */
export interface FormattedMessage {
  readonly url: string
  readonly body: string
}

/**
 * The parts of a message have at most 950 characters together, so that a message fits in the 2,000 characters of
 * Discord even when each character is escaped.
 */
const maxTitleCharacters = 300
const maxCommentCharacters = 440
const maxFollowersCharacters = 200

/** Maximum number of characters of the name of a follower. */
const maxNameCharacters = 40

/** Name of the parameter of a URL that has the integration key of PagerDuty. */
const routingKeyParameter = 'routing_key'

/**
 * Returns why messages of a format cannot be sent to a URL; undefined when they can.
 *
 * The integration key of PagerDuty is part of the URL, as the credentials of the other receivers are.
 */
export function formatUrlError(format: WebhookFormat | undefined, url: string): string | undefined {
  if (format !== 'pagerduty' || parseHttpUrl(url)?.searchParams.get(routingKeyParameter)) return undefined
  return `must have the query parameter ${routingKeyParameter}, the integration key, for the format pagerduty`
}

/**
 * Formats a message for a receiver. The receiver shows names of resources, members and comments as they are: text in
 * them mentions no one, has no style, and shows the address of each link.
 *
 * Sources: Slack "Formatting text for app surfaces" and "Incoming webhooks"; Microsoft, schema 1.5
 * of `RichTextBlock`; Discord "Execute webhook" and "Allowed mentions"; PagerDuty "Change events" of the Events API v2.
 */
export function formatMessage(format: WebhookFormat, url: string, content: MessageContent): FormattedMessage {
  const title = plainLine(content.title, maxTitleCharacters)
  const comment = content.comment === undefined ? undefined : plainLine(content.comment, maxCommentCharacters)
  const followers = followersText(content.followers ?? [])
  if (format === 'pagerduty') return pagerDutyMessage(url, { ...content, title, comment, followers })
  const lines = [
    title,
    ...(comment === undefined ? [] : [`Comment: ${comment}`]),
    ...(followers === undefined ? [] : [`Followers: ${followers}`]),
  ]
  return { url, body: JSON.stringify(bodies[format](lines)) }
}

const bodies: Readonly<Record<Exclude<WebhookFormat, 'pagerduty'>, (lines: readonly string[]) => object>> = {
  slack: (lines) => ({
    text: lines.map(escapeForSlack).join('\n'),
    mrkdwn: false,
    parse: 'none',
    unfurl_links: false,
    unfurl_media: false,
  }),
  teams: (lines) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.5',
          // A text run does not support Markdown, unlike a text block. Mentions need `msteams.entities`.
          body: lines.map((text) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] })),
        },
      },
    ],
  }),
  discord: (lines) => ({
    content: lines.map(escapeForDiscord).join('\n'),
    allowed_mentions: { parse: [] },
    // SUPPRESS_EMBEDS
    flags: 4,
  }),
}

interface MessageTexts extends Omit<MessageContent, 'followers'> {
  readonly followers: string | undefined
}

function pagerDutyMessage(
  url: string,
  { title, comment, followers, kind, resources, at }: MessageTexts,
): FormattedMessage {
  const target = new URL(url)
  const routingKey = target.searchParams.get(routingKeyParameter)
  target.searchParams.delete(routingKeyParameter)
  const body = {
    routing_key: routingKey,
    payload: {
      summary: title,
      timestamp: new Date(at).toISOString(),
      source: 'halyard',
      custom_details: {
        kind,
        resources,
        ...(comment === undefined ? {} : { comment }),
        ...(followers === undefined ? {} : { followers }),
      },
    },
  }
  return { url: target.href, body: JSON.stringify(body) }
}

/** Returns the names that fit in a message, and the number of the others; undefined when there are no names. */
function followersText(names: readonly string[]): string | undefined {
  let text: string | undefined
  for (const [index, name] of names.entries()) {
    const shortName = plainLine(name, maxNameCharacters)
    const longer = text === undefined ? shortName : `${text}, ${shortName}`
    const rest = names.length - index
    // The number of the others must fit, too.
    if ([...longer].length + ` and ${rest} more`.length > maxFollowersCharacters) return `${text} and ${rest} more`
    text = longer
  }
  return text
}

/**
 * Returns a text on one line, without control characters and without marks that reverse the direction of other text.
 */
function plainLine(text: string, maxCharacters: number): string {
  return shortName(text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' '), maxCharacters)
}

/** Escapes `&`, `<` and `>`: Slack reads mentions, links and dates between angle brackets. */
function escapeForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/**
 * Escapes all punctuation with a backslash, which makes it plain text in Discord's Markdown, including the `:` of a URL
 * and the `<` of a mention.
 */
function escapeForDiscord(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&')
}
