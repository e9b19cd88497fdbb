#pragma once
// Henyey-Greenstein phase function (Henyey and Greenstein 1941).
