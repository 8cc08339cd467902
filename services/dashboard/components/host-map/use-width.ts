import { type RefObject, useLayoutEffect, useState } from 'react';

/** Steps of a reported width, so that resizing a window does not render at every pixel. */
const step = 40;

/** Width of an element in pixels, rounded down. It follows the element. Null during the first render. */
export function useWidth(box: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setWidth(Math.max(step, Math.floor(element.clientWidth / step) * step));
    measure();
    const resizing = new ResizeObserver(measure);
    resizing.observe(element);
    return () => resizing.disconnect();
  }, [box]);
  return width;
}
