// Generated from the descriptors of the resources: npm run generate

import type { ResourceDescriptor } from '../operation/resource.ts'
import { resources as allResources } from '../resources/all-resources.ts'
import * as descriptors from '../resources/index.ts'
import { writingResource } from '../writing.ts'

// The descriptors of all resources, each by itself: bundlers leave out the others.
export { account } from '../resources/index.ts'
export const agentGraphs: typeof descriptors.agentGraphs = /* @__PURE__ */ writingResource(descriptors.agentGraphs)
export const agentOptimizations: typeof descriptors.agentOptimizations = /* @__PURE__ */ writingResource(descriptors.agentOptimizations)
export const agentSkills: typeof descriptors.agentSkills = /* @__PURE__ */ writingResource(descriptors.agentSkills)
export { aiConfigMetrics } from '../resources/index.ts'
export const aiConfigs: typeof descriptors.aiConfigs = /* @__PURE__ */ writingResource(descriptors.aiConfigs)
export const aiModelConfigs: typeof descriptors.aiModelConfigs = /* @__PURE__ */ writingResource(descriptors.aiModelConfigs)
export const aiTools: typeof descriptors.aiTools = /* @__PURE__ */ writingResource(descriptors.aiTools)
export const applications: typeof descriptors.applications = /* @__PURE__ */ writingResource(descriptors.applications)
export const approvalRequests: typeof descriptors.approvalRequests = /* @__PURE__ */ writingResource(descriptors.approvalRequests)
export { backUps } from '../resources/index.ts'
export const changeLog: typeof descriptors.changeLog = /* @__PURE__ */ writingResource(descriptors.changeLog)
export const codeReferences: typeof descriptors.codeReferences = /* @__PURE__ */ writingResource(descriptors.codeReferences)
export const contextKinds: typeof descriptors.contextKinds = /* @__PURE__ */ writingResource(descriptors.contextKinds)
export const deployments: typeof descriptors.deployments = /* @__PURE__ */ writingResource(descriptors.deployments)
export const destinations: typeof descriptors.destinations = /* @__PURE__ */ writingResource(descriptors.destinations)
export const environments: typeof descriptors.environments = /* @__PURE__ */ writingResource(descriptors.environments)
export const experimentationSettings: typeof descriptors.experimentationSettings = /* @__PURE__ */ writingResource(descriptors.experimentationSettings)
export { flagEvaluations } from '../resources/index.ts'
export const flagEvents: typeof descriptors.flagEvents = /* @__PURE__ */ writingResource(descriptors.flagEvents)
export const flagLinks: typeof descriptors.flagLinks = /* @__PURE__ */ writingResource(descriptors.flagLinks)
export const flags: typeof descriptors.flags = /* @__PURE__ */ writingResource(descriptors.flags)
export { insightCharts } from '../resources/index.ts'
export const insightGroups: typeof descriptors.insightGroups = /* @__PURE__ */ writingResource(descriptors.insightGroups)
export const insightRepositories: typeof descriptors.insightRepositories = /* @__PURE__ */ writingResource(descriptors.insightRepositories)
export const invitations: typeof descriptors.invitations = /* @__PURE__ */ writingResource(descriptors.invitations)
export const leadTimes: typeof descriptors.leadTimes = /* @__PURE__ */ writingResource(descriptors.leadTimes)
export const members: typeof descriptors.members = /* @__PURE__ */ writingResource(descriptors.members)
export const oauthClients: typeof descriptors.oauthClients = /* @__PURE__ */ writingResource(descriptors.oauthClients)
export const projects: typeof descriptors.projects = /* @__PURE__ */ writingResource(descriptors.projects)
export const promptSnippets: typeof descriptors.promptSnippets = /* @__PURE__ */ writingResource(descriptors.promptSnippets)
export const pullRequests: typeof descriptors.pullRequests = /* @__PURE__ */ writingResource(descriptors.pullRequests)
export const releasePipelines: typeof descriptors.releasePipelines = /* @__PURE__ */ writingResource(descriptors.releasePipelines)
export const releasePolicies: typeof descriptors.releasePolicies = /* @__PURE__ */ writingResource(descriptors.releasePolicies)
export const releases: typeof descriptors.releases = /* @__PURE__ */ writingResource(descriptors.releases)
export const roles: typeof descriptors.roles = /* @__PURE__ */ writingResource(descriptors.roles)
export const scheduledChanges: typeof descriptors.scheduledChanges = /* @__PURE__ */ writingResource(descriptors.scheduledChanges)
export const segments: typeof descriptors.segments = /* @__PURE__ */ writingResource(descriptors.segments)
export const teams: typeof descriptors.teams = /* @__PURE__ */ writingResource(descriptors.teams)
export const tokens: typeof descriptors.tokens = /* @__PURE__ */ writingResource(descriptors.tokens)
export const views: typeof descriptors.views = /* @__PURE__ */ writingResource(descriptors.views)
export const webhooks: typeof descriptors.webhooks = /* @__PURE__ */ writingResource(descriptors.webhooks)

/** The descriptors of all resources, in the order of the reference. */
export const resources: readonly ResourceDescriptor[] = /* @__PURE__ */ allResources.map(writingResource)
