export { createHalyardProvider, type EvaluatingEngine, type HalyardProviderOptions } from './server-provider.ts'
