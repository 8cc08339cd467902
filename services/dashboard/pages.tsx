import { lazy } from 'react';
import { BrowserRouter, Link, Navigate, Route, Routes, useLocation } from 'react-router';
import { dashboardPath } from './api/base-url.ts';
import { Nothing } from './components/states.tsx';
import { pageLoaders } from './page-loaders.ts';
import { Shell } from './shell/shell.tsx';
import { text } from './texts/texts.ts';

const routes = Object.entries(pageLoaders).map(([path, load]) => {
  const Page = lazy(async () => ({ default: await load() }));
  return <Route key={path} path={path} element={<Page />} />;
});

function NoSuchPage() {
  const { pathname } = useLocation();
  return (
    <Nothing title={text('shell.noSuchPage')} action={<Link to="/overview">{text('shell.toOverview')}</Link>}>
      {text('shell.noSuchPageHint', { path: pathname })}
    </Nothing>
  );
}

/** All pages by path. A page's code is loaded when it is opened. */
export function Pages() {
  return (
    <BrowserRouter basename={dashboardPath()}>
      <Routes>
        <Route element={<Shell />}>
          <Route index element={<Navigate to="/overview" replace />} />
          {routes}
          <Route path="*" element={<NoSuchPage />} />
        </Route>
      </Routes>
    </BrowserRouter>
  );
}
