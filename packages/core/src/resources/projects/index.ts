import { createProject } from './create-project.ts'
import { deleteProject } from './delete-project.ts'
import { getProject } from './get-project.ts'
import { listProjects } from './list-projects.ts'
import { patchProject } from './patch-project.ts'

export const projectOperations = [listProjects, createProject, getProject, patchProject, deleteProject] as const
