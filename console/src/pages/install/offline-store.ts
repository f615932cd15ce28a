import type { Device } from '../../api/types.ts'

/** What an installer needs of a facility when there is no network. */
export interface KeptFacility {
  id: string
  name: string
  /** Not there where it was kept by an earlier version. */
  type?: string
  entries: { id: string; name: string }[]
  devices: Device[]
}

/** A device that was put into a room and has not been told to the server. */
export interface Task {
  key?: number
  facility: string
  device: Device
  room: string
  problem?: string
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('atrium-install', 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('facilities', { keyPath: 'id' })
      request.result.createObjectStore('tasks', { keyPath: 'key', autoIncrement: true })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function run<T>(store: 'facilities' | 'tasks', use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await opened()
  try {
    const request = use(database.transaction(store, 'readwrite').objectStore(store))
    return await new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  } finally {
    database.close()
  }
}

export const keepFacility = (facility: KeptFacility) => run('facilities', (store) => store.put(facility))
export const keptFacility = (id: string) => run<KeptFacility | undefined>('facilities', (store) => store.get(id))
export const keptFacilities = () => run<KeptFacility[]>('facilities', (store) => store.getAll())
export const addTask = (task: Task) => run<IDBValidKey>('tasks', (store) => store.add(task))
export const keepTask = (task: Task) => run('tasks', (store) => store.put(task))
export const allTasks = () => run<Task[]>('tasks', (store) => store.getAll())
export const dropTask = (key: number) => run('tasks', (store) => store.delete(key))
