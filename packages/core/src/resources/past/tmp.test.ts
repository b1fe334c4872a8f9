import {it} from "vitest"; it("x", async () => {}, 1)
import { createEngine } from '../../index.ts'
import { createMemoryStorage } from '@halyard/storage-memory'
let now = Date.UTC(2026,0,1)
const engine = createEngine({ storage: createMemoryStorage(), clock: () => now, rateLimit: false, cache: false as never })
const as = { role: 'owner' } as const
const {api}=engine
await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
for (let i=0;i<1000;i++) { now++; await api.createFlag({ projectKey:'web', body:{key:'f'+i,name:'F'+i} }, {as}) }
const n = Number(process.env.N ?? 99000)
for (let i=0;i<n;i++){ now++; await api.patchFlag({projectKey:'web', flagKey:'f'+(i%1000), body:[{op:'replace',path:'/name',value:'N'+i}]},{as}) }
const t=async(name:string,f:()=>Promise<unknown>)=>{const s=performance.now();await f();console.log(name,(performance.now()-s).toFixed(2),'ms')}
const first=Date.UTC(2026,0,1)+1001
await t('now first',()=>api.getFlag({projectKey:'web',flagKey:'f5'},{as}))
await t('now',()=>api.getFlag({projectKey:'web',flagKey:'f5'},{as}))
await t('recent first',()=>engine.at(now-10).api.getFlag({projectKey:'web',flagKey:'f5'},{as}))
global.gc?.(); const h=process.memoryUsage().heapUsed
await t('oldest first',()=>engine.at(first).api.getFlag({projectKey:'web',flagKey:'f5'},{as}))
global.gc?.(); console.log('heap MB',(process.memoryUsage().heapUsed-h)/1e6)
for (let k=0;k<5;k++) await t('oldest again, another flag',()=>engine.at(first).api.getFlag({projectKey:'web',flagKey:'f'+(6+k)},{as}))
await t('middle',()=>engine.at(first+50000).api.getFlag({projectKey:'web',flagKey:'f77'},{as}))
await t('list of 20 then',()=>engine.at(first+50000).api.listFlags({projectKey:'web'},{as}))
await t('list of 20 then',()=>engine.at(first+60000).api.listFlags({projectKey:'web'},{as}))
await t('list of 20 now',()=>api.listFlags({projectKey:'web'},{as}))
