import { useCallback, useEffect, useRef, useState } from 'react'
import { call, Problem, segment } from '../../api/client.ts'
import { addTask, deleteTask, listTasks, type Task, updateTask } from './offline-store.ts'

export type TaskState = 'sent' | 'queued' | 'refused'

/** Interval of automatic retries, in addition to those when the network returns. */
const retryMs = 15_000

export function useTasks() {
  const [tasks, setTasks] = useState<Task[]>([])
  const [sent, setSent] = useState(0)
  const sending = useRef(false)
  const send = useCallback(async () => {
    if (sending.current) return
    sending.current = true
    try {
      for (const task of await listTasks()) if (await isSent(task)) setSent((count) => count + 1)
    } finally {
      sending.current = false
      setTasks(await listTasks())
    }
  }, [])
  useEffect(() => {
    const now = () => void send()
    now()
    window.addEventListener('online', now)
    const timer = setInterval(now, retryMs)
    return () => {
      window.removeEventListener('online', now)
      clearInterval(timer)
    }
  }, [send])
  return {
    tasks,
    sent,
    /** Adds a task, tries to send it, and returns the result. */
    add: async (task: Task): Promise<TaskState> => {
      const key = await addTask(task)
      setTasks(await listTasks())
      await send()
      const left = (await listTasks()).find((one) => one.key === key)
      return left === undefined ? 'sent' : left.problem === undefined ? 'queued' : 'refused'
    },
    drop: async (task: Task) => {
      await deleteTask(task.key ?? 0)
      setTasks(await listTasks())
    },
  }
}

/** A refused task keeps its reason until a person decides; other failures wait for the network. */
async function isSent(task: Task): Promise<boolean> {
  const { id, ...body } = task.device
  try {
    await call('PUT', `/facilities/${segment(task.facility)}/devices/${segment(id)}`, { body })
    await deleteTask(task.key ?? 0)
    return true
  } catch (error) {
    const isFinal =
      error instanceof Problem && error.status >= 400 && error.status < 500 && ![401, 429].includes(error.status)
    if (isFinal) await updateTask({ ...task, problem: error.message })
    return false
  }
}
