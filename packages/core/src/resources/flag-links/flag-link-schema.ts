import * as v from 'valibot'
import { type Member, members } from '../../models/members/member.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { dictionary, links, moment, text, timestamp } from '../../operation/schema.ts'
import { memberSummaryResponse, serializeMemberSummary } from '../members/member-schema.ts'
import { type FlagLink, timestampFormats } from './flag-link.ts'

/** RFC 3339 allows years of four digits only. */
const endOfYear9999 = 253_402_300_799_999

const deepLink = v.pipe(
  v.string(),
  v.maxLength(2048, 'must have at most 2048 characters'),
  v.check((url) => /^https?:\/\/\S+$/i.test(url) && URL.canParse(url), 'must be an absolute http or https URL'),
)

const metadata = v.pipe(
  dictionary(v.pipe(v.string(), v.maxLength(256, 'must have at most 256 characters')), text()),
  v.check((all) => Object.keys(all).length <= 100, 'must contain at most 100 properties'),
)

/**
 * Properties of a link that a caller can set at creation and with a patch
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d21-flag-links).
 */
export const flagLinkSettings = v.object({
  deepLink,
  title: v.optional(text(), ''),
  description: v.optional(text(), ''),
  timestamp: v.pipe(moment(), v.maxValue(endOfYear9999, 'must not be after the year 9999')),
  metadata: v.optional(metadata),
})

/**
 * A summary of a member that is shorter than in other responses, because the specification prescribes these properties.
 */
const creatorResponse = v.pick(memberSummaryResponse, ['_links', '_id', 'firstName', 'lastName'])

export const flagLinkResponse = v.object({
  _links: links(),
  _id: v.string(),
  _key: v.string(),
  _integrationKey: v.optional(v.string()),
  _deepLink: v.string(),
  _timestamp: v.object({ milliseconds: v.number(), seconds: v.number(), rfc3339: v.string(), simple: v.string() }),
  title: v.string(),
  description: v.string(),
  _metadata: v.optional(v.record(v.string(), v.string())),
  _createdAt: timestamp(),
  _member: v.optional(creatorResponse),
})

type FlagLinkResponse = v.InferOutput<typeof flagLinkResponse>

/** Serializes a link with the member who created it, while that member exists. */
export async function serializeFlagLink(
  { tx, format }: ReadContext,
  flagLink: FlagLink,
  { projectKey, flagKey }: { readonly projectKey: string; readonly flagKey: string },
): Promise<FlagLinkResponse> {
  const { integrationKey, metadata, memberId } = flagLink
  const member = memberId === undefined ? undefined : await tx.get(members, { memberId })
  const parent = path`/api/v2/flag-links/projects/${projectKey}/flags/${flagKey}`
  return {
    _links: selfAndParent(`${parent}${path`/${flagLink.id}`}`, parent),
    _id: flagLink.id,
    _key: flagLink.key,
    ...(integrationKey === undefined ? {} : { _integrationKey: integrationKey }),
    _deepLink: flagLink.deepLink,
    _timestamp: timestampFormats(flagLink.timestamp),
    title: flagLink.title,
    description: flagLink.description,
    ...(metadata === undefined ? {} : { _metadata: metadata }),
    _createdAt: format.time(flagLink.createdAt),
    ...(member ? { _member: creatorOf(member) } : {}),
  }
}

function creatorOf(member: Member): v.InferOutput<typeof creatorResponse> {
  const { _links, _id, firstName, lastName } = serializeMemberSummary(member)
  return { _links, _id, firstName, lastName }
}
