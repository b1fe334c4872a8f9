// Generated from the descriptors of the resources: npm run generate

import type { ResourceDescriptor } from '../operation/resource.ts'
import { resources as allResources } from '../resources/all-resources.ts'
import * as descriptors from '../resources/index.ts'
import { writingResource } from '../writing.ts'

// The descriptors of all resources, each by itself: bundlers leave out the others.
export { account } from '../resources/index.ts'
export const agentGraphs = /* @__PURE__ */ writingResource(descriptors.agentGraphs)
export const agentOptimizations = /* @__PURE__ */ writingResource(descriptors.agentOptimizations)
export const agentSkills = /* @__PURE__ */ writingResource(descriptors.agentSkills)
export const aiConfigs = /* @__PURE__ */ writingResource(descriptors.aiConfigs)
export const aiModelConfigs = /* @__PURE__ */ writingResource(descriptors.aiModelConfigs)
export const aiTools = /* @__PURE__ */ writingResource(descriptors.aiTools)
export const applications = /* @__PURE__ */ writingResource(descriptors.applications)
export const approvalRequests = /* @__PURE__ */ writingResource(descriptors.approvalRequests)
export { backUps } from '../resources/index.ts'
export const changeLog = /* @__PURE__ */ writingResource(descriptors.changeLog)
export const codeReferences = /* @__PURE__ */ writingResource(descriptors.codeReferences)
export const contextKinds = /* @__PURE__ */ writingResource(descriptors.contextKinds)
export const deployments = /* @__PURE__ */ writingResource(descriptors.deployments)
export const destinations = /* @__PURE__ */ writingResource(descriptors.destinations)
export const environments = /* @__PURE__ */ writingResource(descriptors.environments)
export const experimentationSettings = /* @__PURE__ */ writingResource(descriptors.experimentationSettings)
export { flagEvaluations } from '../resources/index.ts'
export const flagEvents = /* @__PURE__ */ writingResource(descriptors.flagEvents)
export const flagLinks = /* @__PURE__ */ writingResource(descriptors.flagLinks)
export const flags = /* @__PURE__ */ writingResource(descriptors.flags)
export { insightCharts } from '../resources/index.ts'
export const insightGroups = /* @__PURE__ */ writingResource(descriptors.insightGroups)
export const insightRepositories = /* @__PURE__ */ writingResource(descriptors.insightRepositories)
export const invitations = /* @__PURE__ */ writingResource(descriptors.invitations)
export const leadTimes = /* @__PURE__ */ writingResource(descriptors.leadTimes)
export const members = /* @__PURE__ */ writingResource(descriptors.members)
export const oauthClients = /* @__PURE__ */ writingResource(descriptors.oauthClients)
export const projects = /* @__PURE__ */ writingResource(descriptors.projects)
export const promptSnippets = /* @__PURE__ */ writingResource(descriptors.promptSnippets)
export const pullRequests = /* @__PURE__ */ writingResource(descriptors.pullRequests)
export const releasePipelines = /* @__PURE__ */ writingResource(descriptors.releasePipelines)
export const releasePolicies = /* @__PURE__ */ writingResource(descriptors.releasePolicies)
export const releases = /* @__PURE__ */ writingResource(descriptors.releases)
export const roles = /* @__PURE__ */ writingResource(descriptors.roles)
export const scheduledChanges = /* @__PURE__ */ writingResource(descriptors.scheduledChanges)
export const segments = /* @__PURE__ */ writingResource(descriptors.segments)
export const teams = /* @__PURE__ */ writingResource(descriptors.teams)
export const tokens = /* @__PURE__ */ writingResource(descriptors.tokens)
export const views = /* @__PURE__ */ writingResource(descriptors.views)
export const webhooks = /* @__PURE__ */ writingResource(descriptors.webhooks)

/** The descriptors of all resources, in the order of the reference. */
export const resources: readonly ResourceDescriptor[] = /* @__PURE__ */ allResources.map(writingResource)
