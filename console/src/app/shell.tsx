import { ActionIcon, Avatar, Drawer, Menu, Text, useMantineColorScheme } from '@mantine/core'
import { useDisclosure, useWindowEvent } from '@mantine/hooks'
import { spotlight } from '@mantine/spotlight'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { call } from '../api/client.ts'
import { useOperator } from '../api/session.ts'
import { Icon } from '../parts/icons.tsx'
import { type Language, useLanguage, useWords } from './language.tsx'
import { navigation } from './navigation.ts'
import { Palette } from './palette.tsx'
import classes from './shell.module.css'
import { shell } from './words.ts'

/** Header and navigation of every page except the sign-in. */
export function Shell() {
  const words = useWords(shell)
  const [opened, menu] = useDisclosure(false)
  useWindowEvent('keydown', focusSearch)
  return (
    <>
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <div className={classes.frame}>
        <header className={classes.top}>
          <Brand />
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.find} onClick={spotlight.open}>
            <Icon name="search" />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.menu} onClick={menu.open}>
            <Icon name="menu" />
          </ActionIcon>
        </header>
        <header className={classes.side}>
          <Brand />
          <FindButton />
          <Links />
          <Account />
        </header>
        <main id="content" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Drawer
        opened={opened}
        onClose={menu.close}
        size={280}
        title="Atrium"
        closeButtonProps={{ 'aria-label': words.menu }}
      >
        <div className={`${classes.side} ${classes.drawer}`}>
          <Links onFollow={menu.close} />
          <Account />
        </div>
      </Drawer>
      <Palette />
    </>
  )
}

/** Matches `/` regardless of modifiers: on a French keyboard it needs Shift. */
function focusSearch(event: KeyboardEvent) {
  const isTyping = (event.target as HTMLElement).closest?.('input,textarea,select,[role=dialog]')
  const search = document.querySelector<HTMLInputElement>('[data-search]')
  if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping || search === null) return
  event.preventDefault()
  search.focus()
}

function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <img src="/assets/atrium.svg" alt="" width={24} height={24} />
      <span className={classes.label}>Atrium</span>
    </Link>
  )
}

function FindButton() {
  const words = useWords(shell)
  const isApple = /Mac|iP(hone|ad)/.test(navigator.userAgent)
  return (
    <button type="button" className={classes.find} title={words.find} onClick={spotlight.open}>
      <Icon name="search" size={16} />
      <span className={`clip ${classes.label}`}>{words.find}</span>
      <kbd className={classes.label}>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  )
}

function Links({ onFollow }: { onFollow?: () => void }) {
  const words = useWords(shell)
  return (
    <nav aria-label={words.navigation}>
      <ul className={classes.links}>
        {navigation.map(({ to, name, icon, exact }) => (
          <li key={to}>
            <Link
              to={to}
              className={classes.link}
              title={words[name]}
              activeOptions={{ exact: exact ?? false }}
              onClick={onFollow}
            >
              <Icon name={icon} />
              <span className={classes.label}>{words[name]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Account() {
  const words = useWords(shell)
  const operator = useOperator()
  const client = useQueryClient()
  const navigate = useNavigate()
  const signOut = async () => {
    await call('POST', '/sign-out').catch(() => {})
    client.clear()
    await navigate({ to: '/sign-in' })
  }
  return (
    <Menu position="top-start" width={220} shadow="md">
      <Menu.Target>
        <button type="button" className={classes.who}>
          <Avatar size={30} radius="xl" color="atrium" variant="filled" aria-hidden="true">
            {operator.name.slice(0, 1).toUpperCase()}
          </Avatar>
          <span className={`clip ${classes.label}`}>
            <Text component="span" size="sm" fw={600} display="block" className="clip">
              {operator.name}
            </Text>
            <Text component="span" size="xs" c="dimmed" display="block">
              {words.roles[operator.role]}
            </Text>
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Choices />
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="out" size={16} />} onClick={signOut}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function Choices() {
  const words = useWords(shell)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { language, choose } = useLanguage()
  const mark = (chosen: boolean) => (chosen ? <Icon name="check" size={16} /> : undefined)
  const languages: [Language, string][] = [
    ['en', 'English'],
    ['fr', 'Français'],
  ]
  return (
    <>
      <Menu.Label>{words.theme}</Menu.Label>
      {(['auto', 'light', 'dark'] as const).map((scheme) => (
        <Menu.Item key={scheme} rightSection={mark(colorScheme === scheme)} onClick={() => setColorScheme(scheme)}>
          {scheme === 'auto' ? words.system : words[scheme]}
        </Menu.Item>
      ))}
      <Menu.Label>{words.language}</Menu.Label>
      {languages.map(([code, name]) => (
        <Menu.Item key={code} lang={code} rightSection={mark(language === code)} onClick={() => choose(code)}>
          {name}
        </Menu.Item>
      ))}
    </>
  )
}
