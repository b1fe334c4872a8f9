// Generated from the descriptors of the resources: npm run generate

import type { ResourceDescriptor } from '../operation/resource.ts'
import { resources as allResources } from '../resources/all-resources.ts'
import * as descriptors from '../resources/index.ts'
import { writingResource } from '../engine/writing.ts'

// The descriptors of all resources, each by itself: bundlers leave out the others.
export { account } from '../resources/index.ts'
/** Agent graphs: Graphs of agents that hand over work to each other. */
export const agentGraphs: typeof descriptors.agentGraphs = /* @__PURE__ */ writingResource(descriptors.agentGraphs)
/** Agent optimizations: Runs that improve an agent, with their results. */
export const agentOptimizations: typeof descriptors.agentOptimizations = /* @__PURE__ */ writingResource(descriptors.agentOptimizations)
/** Agent skills: Skills that agents can learn. */
export const agentSkills: typeof descriptors.agentSkills = /* @__PURE__ */ writingResource(descriptors.agentSkills)
export { aiConfigMetrics } from '../resources/index.ts'
/** AI configs: Prompts and models in variations, targeted like flags. */
export const aiConfigs: typeof descriptors.aiConfigs = /* @__PURE__ */ writingResource(descriptors.aiConfigs)
/** Model configs: Models with their parameters, for AI configs. */
export const aiModelConfigs: typeof descriptors.aiModelConfigs = /* @__PURE__ */ writingResource(descriptors.aiModelConfigs)
/** AI tools: Tools that AI configs offer to a model. */
export const aiTools: typeof descriptors.aiTools = /* @__PURE__ */ writingResource(descriptors.aiTools)
export { apiRoot } from '../resources/index.ts'
/** Applications: Applications that report deployments of an environment. */
export const applications: typeof descriptors.applications = /* @__PURE__ */ writingResource(descriptors.applications)
/** Approval requests: Changes that other members have to approve before they are applied. */
export const approvalRequests: typeof descriptors.approvalRequests = /* @__PURE__ */ writingResource(descriptors.approvalRequests)
export { automatedReleases } from '../resources/index.ts'
export { backUps } from '../resources/index.ts'
/** Lists of changes: Several changes that are applied as one commit: all of them or none. */
export const changeLists: typeof descriptors.changeLists = /* @__PURE__ */ writingResource(descriptors.changeLists)
/** Change log: Every change, with its author and the patch that reverts it. */
export const changeLog: typeof descriptors.changeLog = /* @__PURE__ */ writingResource(descriptors.changeLog)
/** Code references: References to flags in code: repositories, branches, and commits that removed a flag. */
export const codeReferences: typeof descriptors.codeReferences = /* @__PURE__ */ writingResource(descriptors.codeReferences)
/** Context kinds: The kinds of contexts for which flags are evaluated. */
export const contextKinds: typeof descriptors.contextKinds = /* @__PURE__ */ writingResource(descriptors.contextKinds)
/** Contexts: Contexts that SDKs reported in the last 30 days, and evaluations for a context. */
export const contexts: typeof descriptors.contexts = /* @__PURE__ */ writingResource(descriptors.contexts)
/** Deployments: Deployments of applications, with their events and durations. */
export const deployments: typeof descriptors.deployments = /* @__PURE__ */ writingResource(descriptors.deployments)
/** Destinations: Systems to which data is exported, and the log of what they received. */
export const destinations: typeof descriptors.destinations = /* @__PURE__ */ writingResource(descriptors.destinations)
/** Environments: Environments of a project, each with keys for SDKs and rules for changes. */
export const environments: typeof descriptors.environments = /* @__PURE__ */ writingResource(descriptors.environments)
/** Experimentation settings: The units by which the experiments of a project randomize. */
export const experimentationSettings: typeof descriptors.experimentationSettings = /* @__PURE__ */ writingResource(descriptors.experimentationSettings)
/** Experiments: Comparisons of the variations of flags and AI configs. */
export const experiments: typeof descriptors.experiments = /* @__PURE__ */ writingResource(descriptors.experiments)
/** Flag defaults: The values of properties that a request to create a flag omits. */
export const flagDefaults: typeof descriptors.flagDefaults = /* @__PURE__ */ writingResource(descriptors.flagDefaults)
export { flagEvaluations } from '../resources/index.ts'
/** Flag events: Changes of flags that were made in this account or reported by other systems. */
export const flagEvents: typeof descriptors.flagEvents = /* @__PURE__ */ writingResource(descriptors.flagEvents)
/** Followers of flags: Members who are named in messages about changes of a flag in an environment. */
export const flagFollowers: typeof descriptors.flagFollowers = /* @__PURE__ */ writingResource(descriptors.flagFollowers)
/** Flag links: Links from a flag to pages elsewhere. */
export const flagLinks: typeof descriptors.flagLinks = /* @__PURE__ */ writingResource(descriptors.flagLinks)
export { flagManifest } from '../resources/index.ts'
/** Flag triggers: URLs by which other systems, such as those that raise alerts, turn a flag on or off in an environment. */
export const flagTriggers: typeof descriptors.flagTriggers = /* @__PURE__ */ writingResource(descriptors.flagTriggers)
/** Flags: Feature flags, and their configuration in each environment. */
export const flags: typeof descriptors.flags = /* @__PURE__ */ writingResource(descriptors.flags)
/** Holdouts: Groups of contexts that are excluded from some experiments. */
export const holdouts: typeof descriptors.holdouts = /* @__PURE__ */ writingResource(descriptors.holdouts)
export { insightCharts } from '../resources/index.ts'
/** Insight groups: Groups of applications whose work is scored together. */
export const insightGroups: typeof descriptors.insightGroups = /* @__PURE__ */ writingResource(descriptors.insightGroups)
/** Insight repositories: Repositories whose pull requests count for the insights of a project. */
export const insightRepositories: typeof descriptors.insightRepositories = /* @__PURE__ */ writingResource(descriptors.insightRepositories)
/** Invitations: Links by which invited members get their first access token. */
export const invitations: typeof descriptors.invitations = /* @__PURE__ */ writingResource(descriptors.invitations)
/** IP allowlist: The addresses from which requests of the management API come. It can limit requests with sessions, and those with access tokens. */
export const ipAllowlist: typeof descriptors.ipAllowlist = /* @__PURE__ */ writingResource(descriptors.ipAllowlist)
/** Layers: Sets of experiments in which no context is in two experiments. */
export const layers: typeof descriptors.layers = /* @__PURE__ */ writingResource(descriptors.layers)
/** Lead time: The time from the first commit of a change to its deployment. */
export const leadTimes: typeof descriptors.leadTimes = /* @__PURE__ */ writingResource(descriptors.leadTimes)
export { measurements } from '../resources/index.ts'
/** Members: The people of the account. */
export const members: typeof descriptors.members = /* @__PURE__ */ writingResource(descriptors.members)
/** Metric groups: Metrics that experiments and guarded releases use together: funnels and collections. */
export const metricGroups: typeof descriptors.metricGroups = /* @__PURE__ */ writingResource(descriptors.metricGroups)
/** Metrics: Numbers that experiments and guarded releases compare between variations, computed from events. */
export const metrics: typeof descriptors.metrics = /* @__PURE__ */ writingResource(descriptors.metrics)
/** OAuth clients: Applications to which members can grant access. */
export const oauthClients: typeof descriptors.oauthClients = /* @__PURE__ */ writingResource(descriptors.oauthClients)
/** OAuth grants: Permissions of members for OAuth clients to act on their behalf. */
export const oauthGrants: typeof descriptors.oauthGrants = /* @__PURE__ */ writingResource(descriptors.oauthGrants)
/** Projects: Projects contain flags and environments. */
export const projects: typeof descriptors.projects = /* @__PURE__ */ writingResource(descriptors.projects)
/** Prompt snippets: Parts of prompts that AI configs share. */
export const promptSnippets: typeof descriptors.promptSnippets = /* @__PURE__ */ writingResource(descriptors.promptSnippets)
/** Pull requests: Pull requests and commits, from which lead times are computed. */
export const pullRequests: typeof descriptors.pullRequests = /* @__PURE__ */ writingResource(descriptors.pullRequests)
/** Relay Proxy configurations: Keys with which relays receive the environments that a policy allows, with their SDK keys. */
export const relayConfigs: typeof descriptors.relayConfigs = /* @__PURE__ */ writingResource(descriptors.relayConfigs)
/** Release pipelines: Phases that a flag passes through until it is released to production. */
export const releasePipelines: typeof descriptors.releasePipelines = /* @__PURE__ */ writingResource(descriptors.releasePipelines)
/** Release policies: Rules for the release of flags, by rank and scope. */
export const releasePolicies: typeof descriptors.releasePolicies = /* @__PURE__ */ writingResource(descriptors.releasePolicies)
/** Releases: The release of a flag through the phases of a release pipeline. */
export const releases: typeof descriptors.releases = /* @__PURE__ */ writingResource(descriptors.releases)
/** Roles: Custom roles: policies that allow or deny actions on resources. */
export const roles: typeof descriptors.roles = /* @__PURE__ */ writingResource(descriptors.roles)
/** Scheduled changes: Changes of a flag that are made at a later time. */
export const scheduledChanges: typeof descriptors.scheduledChanges = /* @__PURE__ */ writingResource(descriptors.scheduledChanges)
/** SDK keys: Keys by which SDKs connect to an environment, in addition to its default keys. */
export const sdkKeys: typeof descriptors.sdkKeys = /* @__PURE__ */ writingResource(descriptors.sdkKeys)
/** Segments: Groups of contexts that flags target. */
export const segments: typeof descriptors.segments = /* @__PURE__ */ writingResource(descriptors.segments)
/** Teams: Groups of members that share roles. */
export const teams: typeof descriptors.teams = /* @__PURE__ */ writingResource(descriptors.teams)
/** Access tokens: Secrets that authenticate callers. */
export const tokens: typeof descriptors.tokens = /* @__PURE__ */ writingResource(descriptors.tokens)
/** Views: Selections of flags and segments of a project, linked by key or by filter. */
export const views: typeof descriptors.views = /* @__PURE__ */ writingResource(descriptors.views)
/** Webhooks: URLs that are notified of changes, and the log of their deliveries. */
export const webhooks: typeof descriptors.webhooks = /* @__PURE__ */ writingResource(descriptors.webhooks)
/** Workflow templates: Stages of the account from which workflows of any flag are created. */
export const workflowTemplates: typeof descriptors.workflowTemplates = /* @__PURE__ */ writingResource(descriptors.workflowTemplates)
/** Workflows: Stages that change a flag in an environment one after the other, at their times and once they are approved. */
export const workflows: typeof descriptors.workflows = /* @__PURE__ */ writingResource(descriptors.workflows)

/** The descriptors of all resources, in the order of the reference pages. */
export const resources: readonly ResourceDescriptor[] = /* @__PURE__ */ allResources.map(writingResource)
