const begin = @BEGIN@, end = @END@, duration = @DURATION@;
const play = document.getElementById("play"), slider = document.getElementById("time"), now = document.getElementById("now");
let running = !@RESTS@ && !matchMedia("(prefers-reduced-motion: reduce)").matches, at = 0, last = 0;
@SHOW@
function tell() { play.textContent = running ? "Pause" : "Play"; }
function frame(stamp) {
  if (running && duration > 0) at = (at + (stamp - last) / 1000 / duration) % 1;
  last = stamp;
  if (running) slider.value = at;
  now.value = "t = " + (begin + at * (end - begin)).toFixed(2) + " s";
  show(at);
  requestAnimationFrame(frame);
}
play.onclick = () => { running = !running; tell(); };
slider.oninput = () => { running = false; at = +slider.value; tell(); };
tell();
requestAnimationFrame(stamp => { last = stamp; frame(stamp); });
